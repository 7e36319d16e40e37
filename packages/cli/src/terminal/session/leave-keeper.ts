import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TerminalWorld } from '../terminal-world.js';

const KEEPER = fileURLToPath(new URL('../keep-main.js', import.meta.url));

/** Leaves somebody with a terminal whose user goes away. Without one it goes on just as well, and nobody tells what it does. */
export function leaveKeeper({ env, folder }: Pick<TerminalWorld, 'env' | 'folder'>, name: string): void {
  const child = spawn(process.execPath, [KEEPER, name], {
    stdio: 'ignore',
    detached: true,
    cwd: folder,
    env: env as NodeJS.ProcessEnv,
  });
  child.on('error', () => {});
  child.unref();
}
