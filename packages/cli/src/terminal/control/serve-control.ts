import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { type ControlAnswer, type ControlRequest, parseControlRequest } from './control-message.js';

const MOST_REQUEST_CHARS = 4 << 20;

/**
 * Listens for other processes of this user. Whoever calls holds the lease of the terminal, so what is at this path is of
 * somebody who is gone.
 */
export async function serveControl(
  socketPath: string,
  answer: (request: ControlRequest) => Promise<unknown>,
): Promise<{ close(): void }> {
  const folder = dirname(socketPath);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  rmSync(socketPath, { force: true });
  const server = createServer((socket) => hear(socket, answer));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', () => {});
  chmodSync(socketPath, 0o600);
  server.unref();
  return { close: () => server.close() }; // which removes the path
}

/** One line asks, one line answers. */
function hear(socket: Socket, answer: (request: ControlRequest) => Promise<unknown>): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy());
  socket.on('data', (part: string) => {
    text += part;
    if (text.length > MOST_REQUEST_CHARS) socket.destroy();
    const at = text.indexOf('\n');
    if (at === -1) return;
    const request = parseControlRequest(text.slice(0, at));
    text = '';
    void reply(request, answer).then((said) => socket.end(`${JSON.stringify(said)}\n`));
  });
}

async function reply(
  request: ControlRequest | undefined,
  answer: (request: ControlRequest) => Promise<unknown>,
): Promise<ControlAnswer> {
  if (request === undefined) return { status: 'failed', error: 'this version of devs does not know what was asked' };
  try {
    return { status: 'done', result: (await answer(request)) ?? null };
  } catch (error) {
    return { status: 'failed', error: error instanceof Error ? error.message : String(error) };
  }
}
