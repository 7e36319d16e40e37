import { spawn } from 'node:child_process';
import type { TerminalWorld } from '../terminal-world.js';

const TRIES = 4;
const SETTLED_MS = 10;

/**
 * Leaves somebody with a terminal whose user goes away. Without one it goes on just as well, and nobody tells what it does.
 * A window that closes sends its signal to every process that belongs to it, and a child belongs to it until it has a session of
 * its own: one that was hit in that moment is started again. All of it at once, as this process may end in the next moment.
 */
export function leaveKeeper(
  {
    env,
    folder,
    devsCommand: [node = process.execPath, ...devs],
  }: Pick<TerminalWorld, 'env' | 'folder' | 'devsCommand'>,
  name: string,
  isRunning: (pid: number) => boolean,
): void {
  for (let tries = 0; tries < TRIES; tries++) {
    const child = spawn(node, [...devs, '--keep-terminal', name], {
      stdio: 'ignore',
      detached: true,
      cwd: folder,
      env: env as NodeJS.ProcessEnv,
    });
    child.on('error', () => {});
    child.unref();
    if (child.pid === undefined) return;
    sleep(SETTLED_MS);
    if (isRunning(child.pid)) return;
  }
}

const sleep = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
