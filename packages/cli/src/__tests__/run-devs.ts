import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const DEVS = fileURLToPath(new URL('../../bin/devs.mjs', import.meta.url));

export interface DevsRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Conditions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Closes our end of the pipe before anything was printed, as `head` does after a while. */
  readonly closeStdout?: boolean;
}

/** Runs the real program, as a user would. */
export function runDevs(
  args: readonly string[],
  { cwd, env = {}, input = '', closeStdout = false }: Conditions = {},
): Promise<DevsRun> {
  const child = spawn(process.execPath, [DEVS, ...args], { stdio: 'pipe', cwd, env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  if (closeStdout) child.stdout.destroy();
  child.stdin.on('error', () => {}); // a program that does not read its stdin may be gone before we have written
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}
