import { type ChildProcess, spawn } from 'node:child_process';
import { GIT_SETTINGS, gitEnvironment } from './git-environment.js';
import { pinnedEnvironment } from './pinned-git.js';
import { signalGroup, stopReading } from './signal-group.js';

export type GitRun =
  | { readonly outcome: 'exited'; readonly exitCode: number; readonly stderr: string }
  | { readonly outcome: 'no-git' }
  | { readonly outcome: 'timed-out'; readonly afterMs: number }
  | { readonly outcome: 'cancelled' };

export interface Git {
  run(args: readonly string[], onOutput: (chunk: Buffer) => void, more?: GitRunOptions): Promise<GitRun>;
}

export interface GitRunOptions {
  /** On its standard input. */
  readonly input?: string | Buffer;
  /** Beside what every git gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working folder, if different. */
  readonly folder?: string;
}

export interface GitOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For all runs together. */
  readonly timeMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** git in one folder, with arguments as a list. A run that is stopped is killed with all it has started. */
export function createGit({ folder, env, timeMs, signal }: GitOptions): Git {
  const deadline = AbortSignal.timeout(timeMs);
  const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const whyStopped = (): GitRun =>
    signal?.aborted ? { outcome: 'cancelled' } : { outcome: 'timed-out', afterMs: timeMs };
  return {
    run: (args, onOutput, { input, env: extra, folder: at = folder } = {}) =>
      new Promise((resolve, reject) => {
        if (stop.aborted) return resolve(whyStopped());
        const child = spawn('git', [...GIT_SETTINGS, ...args], {
          cwd: at,
          env: { ...gitEnvironment(env), ...pinnedEnvironment(at, env), ...extra },
          stdio: ['pipe', 'pipe', 'pipe'],
          detached: true, // its own process group, killed as a whole
          windowsHide: true,
        });
        const end = (settle: () => void) => {
          stop.removeEventListener('abort', onStop);
          settle();
        };
        const onStop = () => {
          killGroup(child);
          end(() => resolve(whyStopped()));
        };
        stop.addEventListener('abort', onStop);
        child.stdin.on('error', () => {}); // git ended without reading all input; its exit code decides
        child.stdin.end(input);
        let stderr = '';
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          if (stderr.length < MAX_STDERR) stderr += text;
        });
        child.stdout.on('data', (chunk: Buffer) => {
          if (!stop.aborted) onOutput(chunk);
        });
        child.on('error', (error: NodeJS.ErrnoException) =>
          end(() => (error.code === 'ENOENT' ? resolve({ outcome: 'no-git' }) : reject(error))),
        );
        child.on('close', (code, by) => end(() => resolve(exited(code, by, stderr))));
      }),
  };
}

const MAX_STDERR = 4_096;

/** A killed git gave no answer: it must not look like exit code 1, which means "no". */
const exited = (code: number | null, by: string | null, stderr: string): GitRun =>
  code === null
    ? { outcome: 'exited', exitCode: KILLED, stderr: `${stderr}git was ended by ${by}` }
    : { outcome: 'exited', exitCode: code, stderr };

/** As a shell says it. */
const KILLED = 137;

/** Politely first: git removes its locks then. */
function killGroup(child: ChildProcess): void {
  stopReading(child);
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS).unref();
  child.once('exit', () => {
    clearTimeout(timer);
    signalGroup(child, 'SIGKILL'); // child processes it left behind
  });
}

const GRACE_MS = 500;
