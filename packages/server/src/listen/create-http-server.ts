import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { App } from '../http/create-app.js';
import type { Limits } from './limits.js';

const MAX_HEADER_BYTES = 16 << 10;

export interface HttpDeps {
  readonly app: App;
  readonly limits: Limits;
  /** `undefined`: welcome. Asked before any route, also for a WebSocket. */
  refuses(request: IncomingMessage): Refusal | undefined;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface Refusal {
  readonly status: 403 | 404;
  readonly why: string;
}

/** A node server that slow, endless and malformed requests do not hold up. */
export function createHttpServer({ app, limits, refuses, upgrade }: HttpDeps): Server {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    (request: IncomingMessage, response: ServerResponse) => {
      const refusal = refuses(request);
      if (refusal === undefined) return void listener(request, response);
      response.writeHead(refusal.status, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify({ code: 'not-allowed', message: refusal.why }));
    },
  );
  server.maxConnections = limits.connections;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refusal = refuses(request);
    if (refusal === undefined) return upgrade(request, socket, head);
    socket.end(`HTTP/1.1 ${refusal.status} Refused\r\nconnection: close\r\n\r\n`);
  });
  server.on('error', () => {}); // an accept that fails, such as for too many open files, ends nothing
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    else socket.destroy();
  });
  return server;
}
