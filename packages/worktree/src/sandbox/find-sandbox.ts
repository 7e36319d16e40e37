import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

type Environment = Readonly<Record<string, string | undefined>>;

/** How the system can keep a command in bounds. */
export type SandboxFinding =
  | { readonly kind: 'bubblewrap' | 'seatbelt'; readonly program: string }
  | { readonly kind: 'none'; readonly reason: string; readonly advice: string };

const TRY_MS = 5_000;
const SEATBELT = '/usr/bin/sandbox-exec';
const run = promisify(execFile);

/** Looks once and tries it: a system may have the program but forbid its use. Never rejects. */
export async function findSandbox(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<SandboxFinding> {
  if (platform === 'darwin') {
    const works = await tryOut(SEATBELT, ['-p', '(version 1)(allow default)', '/usr/bin/true']);
    if (works === undefined) return { kind: 'seatbelt', program: SEATBELT };
    return { kind: 'none', reason: `sandbox-exec does not work here: ${works}`, advice: NO_OTHER };
  }
  if (platform !== 'linux') return { kind: 'none', reason: `devs has no sandbox for ${platform}`, advice: NO_OTHER };
  const program = findProgram('bwrap', env);
  if (program === undefined) return { kind: 'none', reason: 'bubblewrap is not installed', advice: INSTALL };
  const problem = await tryOut(program, [...BARE, '--', '/bin/sh', '-c', ':']);
  if (problem === undefined) return { kind: 'bubblewrap', program };
  return { kind: 'none', reason: `bubblewrap does not work here: ${problem}`, advice: FORBIDDEN };
}

/**
 * Common to every sandbox. Remaining processes end with the command: they would outlive the guards and devs. Kernel
 * settings are read-only: as root, one of them names a program that runs outside the sandbox.
 */
export const BARE: readonly string[] = [
  ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys'],
];

const INSTALL =
  'Install it: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap or apk add bubblewrap';
const FORBIDDEN = 'Allow unprivileged user namespaces; in a container, start it with --security-opt seccomp=unconfined';
const NO_OTHER = 'Run devs in a container or a virtual machine';

async function tryOut(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    await run(program, [...args], { timeout: TRY_MS, env: {} });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message?: string };
    return (stderr?.trim() || message || String(error)).split('\n')[0]?.slice(0, 200) ?? '';
  }
}

/** A relative entry of PATH would be looked up in a worktree. */
function findProgram(name: string, { PATH = '/usr/bin:/bin' }: Environment): string | undefined {
  return PATH.split(':')
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
