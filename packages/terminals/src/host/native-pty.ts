import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import nodePty from '@lydell/node-pty';

export interface NativePty {
  readonly fd: number;
  readonly pid: number;
  /** The other side of the terminal, such as `/dev/pts/3`. */
  readonly path: string;
}

export interface ForkRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  readonly umask: number | undefined;
  /** Descriptors that the child must not get. */
  readonly privateFds: readonly number[];
  onExit(exitCode: number, signal: number): void;
}

/** What `@lydell/node-pty` exports besides its own class, which we cannot use: see `openPty`. */
interface Native {
  fork(
    ...args: [
      file: string,
      args: readonly string[],
      env: readonly string[],
      cwd: string,
      columns: number,
      rows: number,
      uid: number,
      gid: number,
      utf8: boolean,
      helper: string,
      onExit: (exitCode: number, signal: number) => void,
    ]
  ): { readonly fd: number; readonly pid: number; readonly pty: string };
  resize(fd: number, columns: number, rows: number, pixelWidth: number, pixelHeight: number): void;
}

const native = (): Native => (nodePty as unknown as { readonly native: Native }).native;

/** Forks a child into its own terminal, session and process group. Throws when the system has no terminal left. */
export function forkPty(request: ForkRequest): NativePty {
  const { file, args, env, cwd, columns, rows } = request;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const { fd, pid, pty } = withUmask(request.umask, () =>
    withoutHoles(request.privateFds, () =>
      native().fork(file, args, variables, cwd, columns, rows, -1, -1, true, helperPath(), request.onExit),
    ),
  );
  return { fd, pid, path: pty };
}

export const resizePty = (fd: number, columns: number, rows: number): void => native().resize(fd, columns, rows, 0, 0);

/**
 * The child closes inherited descriptors from 3 upwards and stops at the first that is free above 15. A terminal above such a
 * hole would stay open in the child: it could be read there, and its own agent would never hear that the host has died.
 */
function withoutHoles<T>(fds: readonly number[], job: () => T): T {
  const highest = Math.max(0, ...fds);
  const fillers: number[] = [];
  try {
    while (highest > 0 && (fillers.at(-1) ?? 0) < highest) fillers.push(openSync('/dev/null', 'r'));
    return job();
  } finally {
    for (const fd of fillers) closeSync(fd);
  }
}

function withUmask<T>(umask: number | undefined, job: () => T): T {
  if (umask === undefined) return job();
  const before = process.umask(umask);
  try {
    return job();
  } finally {
    process.umask(before);
  }
}

/** macOS starts children through a small program that comes with the binary. */
function helperPath(): string {
  if (process.platform !== 'darwin') return '';
  const require = createRequire(createRequire(import.meta.url).resolve('@lydell/node-pty'));
  const platform = `${process.platform}-${process.arch}`;
  const entry = require.resolve(`@lydell/node-pty-${platform}`);
  return join(dirname(entry), '..', 'prebuilds', platform, 'spawn-helper');
}
