import { keptBackFrom, sandboxSettingsOf } from '@devs/core';
import { findMissingHere, findSandbox, makeRunWorktree, type RunWorktree, type SandboxRequest } from '@devs/worktree';
import type { RunParts } from '../run.js';
import { DEFAULT_RUN_TIMING, type RunRequest } from '../run.js';
import { type BroughtWork, bringWork, rewind } from '../travel/bring-work.js';
import type { OpenedRun } from './open-run.js';
import type { Refused } from './refused.js';
import { wasElsewhere, whyElsewhere } from './work-elsewhere.js';

export interface RunFolder {
  readonly path: string;
  readonly branch?: string;
  readonly base?: string;
  readonly notes: readonly string[];
}

/** The folder that the run works in: made, or found as it was left. */
export async function prepareFolder(request: RunRequest, opened: OpenedRun): Promise<RunFolder | Refused> {
  const { id, record } = opened;
  const { facts } = record;
  // The project may have been moved since, and what is stored of a path may be redacted.
  const { folder } = request.place;
  const { copy, setup } = request.settings;
  const { travel } = request;
  const travels = travel !== undefined && facts.plan?.place === 'own';
  const elsewhere = travels ? undefined : wasElsewhere(request, facts);
  const sandbox = await findRunSandbox(request);
  if (sandbox.status === 'refused') return { ...sandbox, runId: id };
  if (facts.plan?.place !== 'own') {
    const missing = elsewhere && (await findMissingHere({ folder, env: request.place.env, elsewhere }));
    if (missing !== undefined) return whyElsewhere(request, facts, missing);
    if (facts.worktree === undefined) await record.append({ type: 'worktree.made', path: folder });
    return { path: folder, notes: sandbox.notes };
  }
  const commandMs = request.timing?.commandMs ?? DEFAULT_RUN_TIMING.commandMs;
  const { env } = request.place;
  const brought: BroughtWork | Refused = travels ? await bringWork(request, travel, opened) : {};
  if ('status' in brought) return brought;
  const { at, moved, beginsAnew } = brought;
  const isThere = facts.worktree !== undefined && beginsAnew !== true;
  const made = await makeRunWorktree({
    folder,
    runId: id,
    copy,
    setup,
    from: facts.plan.from ?? [],
    needs: facts.plan.needs ?? [],
    wasMade: isThere,
    ...(at === undefined ? {} : { at }),
    ...(moved === undefined ? {} : { moved }),
    ...(elsewhere === undefined ? {} : { elsewhere }),
    ...(facts.worktree?.base === undefined || !isThere ? {} : { base: facts.worktree.base }),
    env,
    sandbox: sandbox.wanted,
    commandMs,
    signal: request.signal,
  });
  if (made.outcome === 'missing-work') return whyElsewhere(request, facts, made);
  const kept = keptBackFrom(env, request.settings.sandboxed.pass);
  if (made.outcome !== 'made') return { status: 'refused', runId: id, ...whyNotMade(made, kept) };
  const { path, branch, base, notes } = made;
  const isMoved = moved !== undefined || beginsAnew === true;
  if (facts.worktree === undefined || isMoved) await record.append({ type: 'worktree.made', path, branch, base });
  if (travels && isMoved) await rewind(request, travel, opened, moved?.commit ?? base);
  return { path, branch, base, notes: [...notes, ...sandbox.notes] };
}

type NotMade = Exclude<RunWorktree, { outcome: 'made' | 'missing-work' }>;

/** What the user can do first; the caller says how to continue then. */
function whyNotMade(made: NotMade, kept: readonly string[]): Pick<Refused, 'reason' | 'advice' | 'isGeneral'> {
  const isGeneral = true;
  const here = 'Run it in the folder itself with --here';
  switch (made.outcome) {
    case 'no-git':
      return {
        reason: 'git is not installed, so the run cannot have a work tree of its own',
        advice: `${here}.`,
        isGeneral,
      };
    case 'no-repository':
    case 'no-work-tree':
      return { reason: 'this folder is in no git repository', advice: `${here}, or make one: git init.`, isGeneral };
    case 'no-commit':
      return {
        reason: 'the repository has no commit yet',
        advice: `Commit once, or: ${here.toLowerCase()}.`,
        isGeneral,
      };
    case 'conflict':
      return {
        reason: `what it builds on does not go together: ${made.branch} and the others changed ${made.files.join(', ')}`,
        advice: 'Merge them into your branch and settle the conflicts.',
      };
    case 'damaged':
      return {
        reason: `${made.path} holds the work of this run, and git does not know it as a work tree any more`,
        advice: 'Copy what you need from it and move it away.',
      };
    case 'no-folder':
      return { reason: 'the folder is gone', advice: 'Start it where the project is.', isGeneral };
    case 'setup-failed':
      return {
        reason: `the setup command ${made.command.join(' ')} ended with ${made.exitCode}:\n${made.tail.trim()}`,
        advice: `Change setup in .devs/config.yaml.${aboutKept(kept)}`,
        isGeneral,
      };
    case 'no-sandbox':
      return { reason: made.reason, advice: made.advice, isGeneral };
    case 'timed-out':
      return { reason: `git took longer than ${made.afterMs / 1_000} s`, advice: 'Try again.' };
    case 'cancelled':
      return { reason: 'it was stopped', advice: '' };
    case 'failed':
      return { reason: `git says: ${made.message}`, advice: `${here}, or try again.` };
  }
}

/** A command that cannot log in says so in many ways, and never why. */
const aboutKept = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` It did not get ${names.join(', ')}: name under sandboxed.pass what it needs.`;

type RunSandbox =
  | {
      readonly status: 'found';
      readonly wanted: Pick<SandboxRequest, 'home' | 'settings' | 'finding'>;
      /** For the user. */
      readonly notes: readonly string[];
    }
  | Refused;

/** What the system can do for the run's commands; a refusal where the user wants more, before anything is made. */
async function findRunSandbox({
  settings,
  place: { env, home },
  driver,
}: Pick<RunParts, 'settings' | 'place' | 'driver'>): Promise<RunSandbox> {
  const wanted = { home, settings: sandboxSettingsOf(settings) };
  if (settings.sandbox === 'off') return { status: 'found', wanted, notes: [] };
  const finding = await findSandbox(env);
  if (finding.kind !== 'none') return { status: 'found', wanted: { ...wanted, finding }, notes: [] };
  const { reason, advice } = finding;
  if (settings.sandbox === 'required')
    return { status: 'refused', reason: `sandbox is required, and ${reason}`, advice: `${advice}.`, isGeneral: true };
  const isUsed = driver.agent === 'builtin' || settings.setup.length + settings.checks.length > 0;
  const note = `Commands run without a sandbox: ${reason}. ${advice}; \`--set sandbox=off\` accepts it.`;
  return { status: 'found', wanted: { ...wanted, finding }, notes: isUsed ? [note] : [] };
}
