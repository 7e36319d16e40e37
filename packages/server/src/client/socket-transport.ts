import { Agent, type ClientRequest, request } from 'node:http';
import type { Transport, TransportAnswer, TransportRequest } from '@devs/api';

/** Each run of a queue is waited for in a request of its own. */
const MAX_AT_ONCE = 256;

/** Requests over a Unix socket, on connections that are kept. */
export function createSocketTransport(socketPath: string): { readonly transport: Transport; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_AT_ONCE });
  return {
    transport: (wanted) => send(wanted, { agent, socketPath }),
    close: () => agent.destroy(),
  };
}

interface Way {
  readonly agent: Agent;
  readonly socketPath: string;
}

const send = (wanted: TransportRequest, way: Way): Promise<TransportAnswer> =>
  new Promise((resolve, reject) => {
    const { method, path, headers, body, signal } = wanted;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(
      {
        ...way,
        method,
        path,
        headers: { ...headers, ...length, host: 'devs' },
        ...(signal === undefined ? {} : { signal }),
      },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
        );
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (wasClosedBefore(sent, error, method)) resolve(send(wanted, way));
      else reject(error);
    });
    sent.end(body);
  });

/** A kept connection had ended before the request was received. A POST is repeated only if it could not be written. */
const wasClosedBefore = (sent: ClientRequest, { code }: NodeJS.ErrnoException, method: string): boolean =>
  sent.reusedSocket && (code === 'EPIPE' || (code === 'ECONNRESET' && method === 'GET'));
