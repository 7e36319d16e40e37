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
const MAX_BYTES = 64 << 20;

/** Connects and shakes hands. Rejects where that cannot be done. */
export async function connectAppServer(socket: string, ears: ServerEars): Promise<AppServer> {
  const { WebSocket } = await import('ws'); // few processes need it
  const connection = new WebSocket(`ws+unix:${socket}:/`, { perMessageDeflate: false, maxPayload: MAX_BYTES });
  const send = (message: JsonObject) => connection.send(JSON.stringify(message));
  const requests = new OpenRequests(send);
  const close = () => connection.terminate();
  await new Promise<void>((resolve, reject) => {
    connection.once('open', () => resolve());
    connection.once('error', reject);
  });
  connection.on('error', () => {}); // the close that follows is told
  connection.on('message', (data) => {
    const message = parseObject(String(data));
    if (message !== undefined) hear(message, ears, requests);
  });
  connection.once('close', () => {
    requests.rejectAll(new Error('the app server is gone'));
    ears.onClose();
  });
  try {
    await requests.make('initialize', {
      clientInfo: { name: 'devs', title: 'devs', version: '0.1.0' },
      capabilities: { experimentalApi: true },
    });
    send({ method: 'initialized' });
  } catch (error) {
    close();
    throw error;
  }
  return {
    request: (method, params) => requests.make(method, params),
    respond: (id, result) => send({ id, result }),
    close,
  };
}

function hear(message: JsonObject, ears: ServerEars, requests: OpenRequests): void {
  const method = textIn(message.method);
  const id = numberIn(message.id) ?? textIn(message.id);
  const params = objectIn(message.params) ?? {};
  if (method === undefined) requests.settle(id, message);
  else if (id === undefined) ears.onNotification(method, params);
  else ears.onRequest(id, method, params);
}

interface OpenRequest {
  readonly timer: NodeJS.Timeout;
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

/** Our requests that have no answer yet, by their number. */
class OpenRequests {
  readonly #open = new Map<unknown, OpenRequest>();
  #last = 0;

  constructor(private readonly send: (message: JsonObject) => void) {}

  make(method: string, params: JsonObject): Promise<JsonObject> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const giveUp = () => this.#take(id)?.reject(new Error(`${method} was not answered`));
      this.#open.set(id, { timer: setTimeout(giveUp, ANSWER_MS), resolve, reject });
      this.send({ id, method, params });
    });
  }

  settle(id: unknown, message: JsonObject): void {
    const request = this.#take(id);
    const error = objectIn(message.error);
    if (error === undefined) request?.resolve(objectIn(message.result) ?? {});
    else request?.reject(new AppServerRefusal(textIn(error.message) ?? JSON.stringify(error)));
  }

  rejectAll(error: Error): void {
    for (const id of [...this.#open.keys()]) this.#take(id)?.reject(error);
  }

  #take(id: unknown): OpenRequest | undefined {
    const request = this.#open.get(id);
    clearTimeout(request?.timer);
    this.#open.delete(id);
    return request;
  }
}
