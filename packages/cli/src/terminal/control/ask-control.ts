import { createConnection } from 'node:net';
import { type ControlAnswer, type ControlRequest, parseControlAnswer } from './control-message.js';

/** Asks whoever supervises a terminal. `undefined`: nobody does, or he went away before he answered. */
export const askControl = (
  socketPath: string,
  request: ControlRequest,
  { timeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<ControlAnswer | undefined> =>
  new Promise((resolve) => {
    let text = '';
    const socket = createConnection(socketPath);
    socket.setEncoding('utf8');
    const settle = (answer?: ControlAnswer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => settle(), timeoutMs);
    socket.on('connect', () => socket.write(`${JSON.stringify(request)}\n`));
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('end', () => settle(parseControlAnswer(text)));
    socket.on('error', () => settle());
  });
