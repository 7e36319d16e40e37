import { spawn } from 'node:child_process';

/** Runs a program in another folder, in front of the same user. Gives its exit code. */
export function runElsewhere(folder: string, [file = '', ...args]: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: folder, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
