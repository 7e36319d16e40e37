import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a program in the foreground and gives its exit code, 128 + n when signal n ended it.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function run(file, args, options = {}) {
  const child = spawn(file, args, { stdio: 'inherit', ...options });
  return ended(child);
}

/**
 * Runs a program to its end and collects what it prints, stdout and stderr together.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { onText?: (text: string) => void }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function capture(file, args, { onText = () => {}, ...options } = {}) {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
      onText(text);
    });
  }
  const code = await ended(child);
  return { code, output };
}

/**
 * Signals sent to us continue to the program, which decides when to end. A terminal sends Ctrl-C to the whole process
 * group by itself; there, catching it only keeps us alive until the program has finished.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
function ended(child) {
  const stopForwarding = FORWARDED_SIGNALS.map((signal) => {
    const forward = () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, forward);
    return () => process.off(signal, forward);
  });
  return new Promise((/** @type {(code: number) => void} */ resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  }).finally(() => {
    for (const stop of stopForwarding) stop();
  });
}
