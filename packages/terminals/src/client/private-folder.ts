import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalHostUnavailableError } from '../terminal-host-error.js';

/** The smallest limit on a socket path among supported systems. */
const SOCKET_PATH_BYTES = 103;

/** Makes the folder of a host, for the user alone, and gives the path of its socket. */
export function prepareFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  const uid = process.getuid?.();
  if (!stats.isDirectory() || (uid !== undefined && stats.uid !== uid)) {
    throw new TerminalHostUnavailableError(`${folder} must be a folder of your own; choose another one for the host`);
  }
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  const socketPath = join(folder, 'host.sock');
  if (Buffer.byteLength(socketPath) > SOCKET_PATH_BYTES) {
    throw new TerminalHostUnavailableError(
      `The path of the host's socket has more than ${SOCKET_PATH_BYTES} bytes, which the system does not take: choose a folder with a shorter path than ${folder}`,
    );
  }
  return socketPath;
}
