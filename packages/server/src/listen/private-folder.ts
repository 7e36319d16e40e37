import { lstatSync, mkdirSync } from 'node:fs';

/** The smallest limit on a socket path among supported systems. */
const SOCKET_PATH_BYTES = 103;

/** The socket cannot be there: others could reach it, or its path is too long. */
export class UnsafeSocketError extends Error {
  override readonly name = 'UnsafeSocketError';
}

/** Creates the folder of a socket. Refuses an existing folder that is not private to the user. */
export function preparePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  const uid = process.getuid?.();
  if (!stats.isDirectory()) throw new UnsafeSocketError(`${folder} is not a folder; remove it`);
  if (uid !== undefined && stats.uid !== uid) throw new UnsafeSocketError(`${folder} belongs to another user`);
  const mode = stats.mode & 0o777;
  if (mode !== 0o700)
    throw new UnsafeSocketError(`${folder} has the mode ${mode.toString(8)}, so that others could reach it: chmod 700`);
}

export function checkSocketPath(path: string): void {
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES)
    throw new UnsafeSocketError(`${path} has more than ${SOCKET_PATH_BYTES} bytes, which the system does not take`);
}
