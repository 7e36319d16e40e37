import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const programPath = (name: string) => fileURLToPath(new URL(`./programs/${name}.mjs`, import.meta.url));

export interface Ended {
  readonly lines: readonly string[];
  readonly errors: string;
  readonly code: number | null;
}

/** Collects the output of a process until it ends. */
export function collect(child: ChildProcess): Promise<Ended> {
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // An unfinished last line does not count.
    child.once('close', (code) => resolve({ lines: output.split('\n').slice(0, -1), errors, code }));
  });
}

export const startProgram = (name: string, args: readonly string[], options: { readonly uid?: number } = {}) =>
  spawn(process.execPath, [programPath(name), ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });

/** The last printed line of the program, as JSON. */
export async function runProgram<T>(name: string, args: readonly string[], options: { readonly uid?: number } = {}) {
  const { lines, errors, code } = await collect(startProgram(name, args, options));
  const last = lines.at(-1);
  if (code !== 0 || last === undefined) throw new Error(`${name} ended with ${code}: ${errors}`);
  return JSON.parse(last) as T;
}
