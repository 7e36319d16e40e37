import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commandEnvironment,
  createNoSandbox,
  type GitPlace,
  planSandbox,
  type Sandbox,
  type SandboxSettings,
  sandboxEnvironment,
} from '@devs/core';
import { bubblewrapArguments } from './bubblewrap-arguments.js';
import { type FoundGit, findGitPlace, refsBeside } from './find-git-place.js';
import { findSandbox, type SandboxFinding } from './find-sandbox.js';
import { layRules } from './laid-rule.js';
import { seatbeltProfile } from './seatbelt-profile.js';
import { watchGitFolder } from './watch-git-folder.js';

export interface SandboxRequest {
  /** Where commands work: a work tree, or a folder in one. */
  readonly folder: string;
  /** The user's own checkout, where the work tree is another one. */
  readonly project?: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: SandboxSettings;
  /** An earlier finding. */
  readonly finding?: SandboxFinding;
}

export type OpenedSandbox =
  | {
      readonly status: 'open';
      readonly sandbox: Sandbox;
      /** Why there is none though one was wanted, for the user. */
      readonly note?: string;
    }
  | { readonly status: 'refused'; readonly reason: string; readonly advice: string };

/** Where the commands of one worktree run, according to the settings and the system. */
export async function openSandbox(request: SandboxRequest): Promise<OpenedSandbox> {
  const { env, settings } = request;
  if (settings.mode === 'off') return { status: 'open', sandbox: createNoSandbox(env, settings.pass) };
  const finding = request.finding ?? (await findSandbox(env));
  if (finding.kind !== 'none') return { status: 'open', sandbox: await confine(request, finding) };
  const { reason, advice } = finding;
  if (settings.mode === 'required')
    return { status: 'refused', reason: `the setting sandbox is required, and ${reason}`, advice: `${advice}.` };
  const note = `Commands run without a sandbox: ${reason}. ${advice}, or say so with \`sandbox: off\`.`;
  return { status: 'open', sandbox: createNoSandbox(env, settings.pass), note };
}

async function confine(
  { folder, project, home, env, settings }: SandboxRequest,
  { kind, program }: Exclude<SandboxFinding, { kind: 'none' }>,
): Promise<Sandbox> {
  const own = await realpath(await mkdtemp(join(tmpdir(), 'devs-sandbox-')));
  await chmod(own, 0o700);
  const here = await realpath(folder);
  // Before the first command, which could change what git says of the worktree.
  const found = await findGitPlace(here);
  const worktree = found?.git.kind === 'linked' ? found.top : here;
  const checkout = project === undefined ? undefined : await realpath(project).catch(() => undefined);
  const userHome = await realpath(home).catch(() => home);
  const temporary = (await realPaths(['/tmp', '/var/tmp', tmpdir()])).filter(
    (path) => path !== '/' && path !== userHome,
  );
  const atHome = (path: string) => (path.startsWith('~/') ? join(userHome, path.slice(2)) : path);
  const variables = sandboxEnvironment(commandEnvironment(env, settings.pass));
  return {
    kind,
    async enter(command, inFolder) {
      const leave = found?.git.kind === 'whole' ? await watchGitFolder(found.git.folder) : undefined;
      const { rules, network } = planSandbox({
        worktree,
        project: checkout ?? worktree,
        ...(await gitNow(found)),
        home: userHome,
        env,
        temporary,
        network: settings.network,
        read: settings.read.map(atHome),
        write: settings.write.map(atHome),
      });
      const confinement = { rules: layRules(rules, own), network, folder: inFolder };
      const after = leave === undefined ? {} : { leave };
      if (kind === 'bubblewrap')
        return { command: [program, ...bubblewrapArguments(confinement), '--', ...command], env: variables, ...after };
      const profiled = [program, '-p', seatbeltProfile(confinement), ...command];
      return { command: profiled, env: { ...variables, TMPDIR: own }, ...after };
    },
    close: () => rm(own, { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function gitNow(found: FoundGit | undefined): Promise<{ readonly git?: GitPlace }> {
  if (found === undefined) return {};
  const { git } = found;
  return { git: git.kind === 'whole' ? git : { ...git, others: await refsBeside(git.common, git.branch) } };
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return [...new Set(real.filter((path) => path !== undefined))];
}
