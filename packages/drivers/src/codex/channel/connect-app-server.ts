import type { JsonObject } from '@devs/core';
import { numberIn, objectIn, parseObject, textIn } from '../../reading/json.js';

/** Codex's app server, over its socket: JSON-RPC without the field `jsonrpc`. */
export interface AppServer {
  /** Rejects with what the server says is wrong, or where it does not answer. */
  request(method: string, params: JsonObject): Promise<JsonObject>;
  /** The answer to a request of the server. */
  respond(id: string | number, result: JsonObject): void;
  close(): void;
}

export interface ServerEars {
  onNotification(method: string, params: JsonObject): void;
  onRequest(id: string | number, method: string, params: JsonObject): void;
  /** The server is gone, or was let go. */
  onClose(): void;
}

/** The server heard the request and says no; every other error leaves open what came of it. */
export class AppServerRefusal extends Error {
  override readonly name = 'AppServerRefusal';
}

const ANSWER_MS = 30_000;
const MOST_BYTES = 64 << 20;

/** Connects and shakes hands. Rejects where that cannot be done. */
export async function connectAppServer(socket: string, ears: ServerEars): Promise<AppServer> {
  const { WebSocket } = await import('ws'); // few processes need it
  const connection = new WebSocket(`ws+unix:${socket}:/`, { perMessageDeflate: false, maxPayload: MOST_BYTES });
  const waiting = new Map<number, { resolve(result: JsonObject): void; reject(error: Error): void }>();
  let last = 0;
  const send = (message: JsonObject) => connection.send(JSON.stringify(message));
  const request = (method: string, params: JsonObject): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const timer = setTimeout(() => waiting.get(id)?.reject(new Error(`${method} was not answered`)), ANSWER_MS);
      const settle = () => {
        clearTimeout(timer);
        waiting.delete(id);
      };
      waiting.set(id, {
        resolve(result) {
          settle();
          resolve(result);
        },
        reject(error) {
          settle();
          reject(error);
        },
      });
      send({ id, method, params });
    });
  const hear = (message: JsonObject) => {
    const method = textIn(message.method);
    const id = numberIn(message.id) ?? textIn(message.id);
    if (method !== undefined && id !== undefined) return ears.onRequest(id, method, objectIn(message.params) ?? {});
    if (method !== undefined) return ears.onNotification(method, objectIn(message.params) ?? {});
    const asked = typeof id === 'number' ? waiting.get(id) : undefined;
    const error = objectIn(message.error);
    if (error !== undefined) asked?.reject(new AppServerRefusal(textIn(error.message) ?? JSON.stringify(error)));
    else asked?.resolve(objectIn(message.result) ?? {});
  };
  await new Promise<void>((resolve, reject) => {
    connection.once('open', () => resolve());
    connection.once('error', reject);
  });
  connection.on('error', () => {}); // the close that follows is told
  connection.on('message', (data) => {
    const message = parseObject(String(data));
    if (message !== undefined) hear(message);
  });
  connection.once('close', () => {
    for (const { reject } of [...waiting.values()]) reject(new Error('the app server is gone'));
    ears.onClose();
  });
  try {
    await request('initialize', {
      clientInfo: { name: 'devs', title: 'devs', version: '0.1.0' },
      capabilities: { experimentalApi: true },
    });
    send({ method: 'initialized' });
  } catch (error) {
    connection.terminate();
    throw error;
  }
  return {
    request,
    respond: (id, result) => send({ id, result }),
    close: () => connection.terminate(),
  };
}
