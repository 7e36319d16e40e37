import { dirname } from 'node:path';
import {
  type ApiClient,
  ApiError,
  type CallOptions,
  createClient,
  createLiveClient,
  type LiveClient,
  type LiveClientDeps,
  parseServerMessage,
} from '@devs/api';
import { connectLiveSocket } from './live-socket.js';
import { createSocketTransport } from './socket-transport.js';

/** A client of the supervisor at a socket, with the capability of this process. */
export interface SupervisorClient extends ApiClient {
  /** `owner`, or `agent` inside a terminal of devs. */
  readonly scope: 'owner' | 'agent';
  live(options?: Pick<LiveClientDeps, 'onState'>): LiveClient;
  close(): void;
}

/** Errors of a socket without a listener. */
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

export interface ConnectOptions {
  /** `false`: a call that the next supervisor gets is refused with `no-capability`, and who asks connects again. */
  readonly readmits?: boolean;
  /** Until it is admitted. */
  readonly signal?: AbortSignal;
}

/** `undefined`: there is no supervisor. Rejects with an `ApiError` where there is one, and it refuses this process. */
export async function connectSupervisor(
  socketPath: string,
  { readmits = true, signal }: ConnectOptions = {},
): Promise<SupervisorClient | undefined> {
  const { transport, close } = createSocketTransport(socketPath);
  let token: string | undefined;
  const client = createClient({ transport, token: () => token });
  const admit = async () => {
    const admitted = await prove(client, dirname(socketPath), signal === undefined ? {} : { signal });
    token = admitted.token;
    return admitted.scope;
  };
  try {
    const scope = await admit();
    return {
      scope,
      close,
      async call(name, input, options) {
        try {
          return await client.call(name, input, options);
        } catch (error) {
          if (!readmits || !(error instanceof ApiError) || error.code !== 'no-capability') throw error;
          await admit(); // another supervisor has replaced the one we knew
          return client.call(name, input, options);
        }
      },
      live: (options = {}) =>
        createLiveClient({
          ...options,
          token: () => token,
          parse: parseServerMessage,
          connect: (events) => connectLiveSocket(socketPath, events),
          after(ms, task) {
            const timer = setTimeout(task, ms);
            return () => clearTimeout(timer);
          },
        }),
    };
  } catch (error) {
    close();
    if (NOBODY.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Which process asks, by a file that it holds open until the answer is there. */
async function prove(client: ApiClient, folder: string, options: CallOptions) {
  const { challenge } = await client.call('door.hello', {}, options);
  const { meetChallenge } = await import('@devs/terminals/admission');
  const proof = meetChallenge(folder, challenge);
  try {
    return await client.call('door.prove', { challenge, pid: process.pid }, options);
  } finally {
    proof.close();
  }
}
