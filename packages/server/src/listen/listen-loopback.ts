import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { preparePrivateFolder } from './private-folder.js';

export interface LoopbackPlace {
  /** A folder of the user's alone. */
  readonly keptIn: string;
  /** This one and no other. */
  readonly port?: number | undefined;
}

const FILE = 'server.json';

/** On 127.0.0.1 and nowhere else. A page that was left open finds its server at the same port again. */
export async function listenLoopback(
  server: Server,
  { keptIn, wanted }: { readonly keptIn: string; readonly wanted: number | undefined },
): Promise<number> {
  preparePrivateFolder(keptIn);
  const kept = readPort(join(keptIn, FILE));
  const port = await listen(server, wanted ?? kept ?? 0).catch((error: NodeJS.ErrnoException) => {
    if (wanted !== undefined || kept === undefined || error.code !== 'EADDRINUSE') throw error;
    return listen(server, 0); // another process has taken it
  });
  if (port !== kept) writeFileSync(join(keptIn, FILE), `${JSON.stringify({ port })}\n`, { mode: 0o600 });
  return port;
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

function readPort(file: string): number | undefined {
  try {
    const { port } = JSON.parse(readFileSync(file, 'utf8')) as { port?: unknown };
    return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined; // none yet, or not ours
  }
}
