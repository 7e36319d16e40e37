import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { checkSocketPath, preparePrivateFolder, UnsafeSocketError } from './private-folder.js';

/** Listens at a path that only the user can reach. Replaces the socket of a dead process, never of a living one. */
export async function listenSocket(server: Server, path: string): Promise<void> {
  checkSocketPath(path);
  preparePrivateFolder(dirname(path));
  if (await isAnswered(path)) throw new UnsafeSocketError(`another process listens at ${path}`);
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  chmodSync(path, 0o600);
}

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
