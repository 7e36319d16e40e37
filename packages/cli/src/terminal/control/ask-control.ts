import { createConnection, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { type ControlAnswer, type ControlRequest, parseChallenge, parseControlAnswer } from './control-message.js';

/** Asks the supervisor of a terminal. `undefined`: there is none, or it went away before it answered. */
export const askControl = (
  socketPath: string,
  request: ControlRequest,
  { timeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<ControlAnswer | undefined> =>
  new Promise((resolve) => {
    let text = '';
    let proof: Promise<{ close(): void } | undefined> | undefined;
    const socket = createConnection(socketPath);
    socket.setEncoding('utf8');
    const settle = (answer?: ControlAnswer) => {
      clearTimeout(timer);
      socket.destroy();
      void proof?.then((shown) => shown?.close());
      resolve(answer);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => settle(), timeoutMs);
    socket.on('connect', () => socket.write(`${JSON.stringify({ ...request, pid: process.pid })}\n`));
    socket.on('data', (part: string) => {
      text += part;
      const challenge = proof === undefined ? parseChallenge(text) : undefined;
      if (challenge === undefined) return;
      text = '';
      proof = show(socket, dirname(socketPath), challenge);
    });
    socket.on('end', () => settle(parseControlAnswer(text)));
    socket.on('error', () => settle());
  });

/** Which process asks, by a file that it holds open until the answer is there. */
async function show(socket: Socket, folder: string, challenge: string): Promise<{ close(): void } | undefined> {
  try {
    const { meetChallenge } = await import('@devs/terminals/admission');
    const proof = meetChallenge(folder, challenge);
    socket.write('{}\n');
    return proof;
  } catch (error) {
    socket.destroy(error as Error);
    return undefined;
  }
}
