import type { Sandbox, SandboxSettings } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import type { AgentOptions } from './agent-options.js';

interface SandboxDeps {
  readonly loadWorktree: () => Promise<typeof import('@devs/worktree')>;
  readonly process: Pick<NodeJS.Process, 'cwd'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const MODES: readonly SandboxSettings['mode'][] = ['auto', 'required', 'off'];

/** Where the commands of the built-in agent run, and what its user should know about it. */
export async function openCommandSandbox(
  options: Pick<AgentOptions, 'sandbox' | 'network' | 'sandboxRead' | 'sandboxWrite' | 'sandboxPass' | 'project'>,
  { loadWorktree, process, env, home }: SandboxDeps,
): Promise<{ readonly sandbox: Sandbox; readonly note?: string | undefined }> {
  const mode = MODES.find((known) => known === options.sandbox);
  if (mode === undefined) throw new UsageError(`--sandbox is one of ${MODES.join(', ')}, not '${options.sandbox}'.`);
  const { network, sandboxRead: read, sandboxWrite: write, sandboxPass: pass, project } = options;
  const { openSandbox } = await loadWorktree();
  const opened = await openSandbox({
    folder: process.cwd(),
    ...(project === undefined ? {} : { project }),
    home,
    env,
    settings: { mode, network, read, write, pass },
  });
  if (opened.status === 'refused') throw new CliError(`${opened.reason}. ${opened.advice}`);
  return opened;
}
