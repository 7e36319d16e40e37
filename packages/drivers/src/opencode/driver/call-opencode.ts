import { type IncomingMessage, request } from 'node:http';
import type { OpencodeServer } from './opencode-server.js';

export interface OpencodeCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly timeoutMs?: number;
}

/** `none`: no answer, or not in time. */
export type OpencodeAnswer = { readonly status: number; readonly value: unknown } | 'none';

/** A request between the bind of its port and the end of its start is never answered (measured, 1.18.33). */
const PROBE_MS = 5_000;

/** Asks the server of an opencode process. Never rejects. */
export async function callOpencode(server: OpencodeServer, call: OpencodeCall): Promise<OpencodeAnswer> {
  const signal = AbortSignal.timeout(call.timeoutMs ?? PROBE_MS);
  try {
    const response = await open(server, call, signal);
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    return { status: response.statusCode ?? 0, value: parse(text) };
  } catch {
    return 'none';
  }
}

/** What the process tells by itself, one after the other, until it ends or the signal says so. Never rejects. */
export async function hearOpencode(
  server: OpencodeServer,
  { signal, onEvent }: { readonly signal: AbortSignal; onEvent(event: unknown): void },
): Promise<void> {
  try {
    const response = await open(server, { method: 'GET', path: '/event' }, signal);
    response.socket.unref(); // to listen keeps no process alive
    let rest = '';
    for await (const piece of response.setEncoding('utf8')) {
      const lines = `${rest}${piece}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data:')) onEvent(parse(line.slice(5)));
    }
  } catch {
    // it ended, or has not begun: the caller tries again
  }
}

function open(
  { port, password }: OpencodeServer,
  { method, path, body }: OpencodeCall,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`,
    ...(text === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((answered, failed) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, signal, agent: false }, answered);
    sent.on('error', failed);
    sent.end(text);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
