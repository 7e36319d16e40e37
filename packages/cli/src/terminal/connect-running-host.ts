import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { TerminalHost } from '@devs/terminals';
import type { TerminalSurroundings } from './terminal-world.js';

/** The host, if one runs. Looking starts none. */
export async function connectRunningHost({
  places,
  loadTerminals,
}: Pick<TerminalSurroundings, 'places' | 'loadTerminals'>): Promise<TerminalHost | undefined> {
  if (!(await listens(join(places.hostFolder, 'host.sock')))) return undefined;
  const { connectHost } = await loadTerminals();
  return (await connectHost({ folder: places.hostFolder })).host;
}

const listens = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
