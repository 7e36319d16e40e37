import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock } from '@devs/core';
import type { ApiFormat, Body, Wire } from '../apis/api-format.js';
import type { Answer, ModelError, Reply } from '../reply/reply.js';
import type { Outcome } from './recorded-request.js';
import { type Sleep, sendFrames } from './send-frames.js';

/** A slow model sends small pieces. */
const PIECE_CHARACTERS = 256;
const SLOW_PIECE_CHARACTERS = 16;

export interface Answering {
  readonly api: ApiFormat;
  readonly reply: Reply;
  readonly request: Wire['request'];
  readonly response: ServerResponse;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  readonly sleep: Sleep;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

/** Sends a reply in the words of an API, as slowly and as badly as it asks for. Never rejects because of the client. */
export async function answerCall(answering: Answering): Promise<Outcome> {
  const { response, closing } = answering;
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  const signal = AbortSignal.any([closing, gone.signal]);
  try {
    return await send(answering, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    response.destroy();
    return 'abandoned';
  } finally {
    response.off('close', leave);
  }
}

async function send({ api, reply, request, response, clock, newId, sleep }: Answering, signal: AbortSignal) {
  if (reply.delayMs > 0) await sleep(reply.delayMs, signal);
  const pieceSize = reply.kind === 'answer' && reply.paceMs > 0 ? SLOW_PIECE_CHARACTERS : PIECE_CHARACTERS;
  const wire: Wire = { request, newId, nowMs: clock.now(), pieceSize };
  if (reply.kind === 'refusal') return refuse({ api, error: reply.error, response, wire, sleep }, signal);
  if (!request.stream) return sendWhole(reply, { api, response, wire, signal });
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  await sendFrames(api.stream(reply, wire), { response, paceMs: reply.paceMs, sleep, signal });
  return end(reply, response, signal);
}

interface Refusing {
  readonly api: ApiFormat;
  readonly error: ModelError;
  readonly response: ServerResponse;
  readonly wire: Wire;
  readonly sleep: Sleep;
}

async function refuse({ api, error, response, wire, sleep }: Refusing, signal: AbortSignal): Promise<Outcome> {
  if (error.overflow !== undefined && wire.request.stream && api.streamOverflow !== undefined) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    await sendFrames(api.streamOverflow(error, wire), { response, paceMs: 0, sleep, signal });
    response.end();
    return 'refused';
  }
  sendJson(response, { status: error.status, headers: error.headers, body: api.error(error, wire) });
  return 'refused';
}

interface Whole {
  readonly api: ApiFormat;
  readonly response: ServerResponse;
  readonly wire: Wire;
  readonly signal: AbortSignal;
}

async function sendWhole(answer: Answer, { api, response, wire, signal }: Whole): Promise<Outcome> {
  const { ending } = answer;
  if (ending.kind === 'failure') {
    const { error } = ending;
    sendJson(response, { status: error.status, headers: error.headers, body: api.error(error, wire) });
    return 'refused';
  }
  if (ending.kind === 'drop' || ending.kind === 'hang') return end(answer, response, signal);
  sendJson(response, { status: 200, body: api.whole(answer, wire) });
  return 'answered';
}

/** How the connection ends after the last byte. */
async function end({ ending }: Answer, response: ServerResponse, signal: AbortSignal): Promise<Outcome> {
  switch (ending.kind) {
    case 'hang':
      await once(response, 'close', { signal });
      return 'abandoned';
    case 'drop':
      response.destroy();
      return 'broken';
    case 'failure':
      response.end();
      return 'broken';
    default:
      response.end();
      return 'answered';
  }
}

interface JsonReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Body;
}

export function sendJson(response: ServerResponse, { status, headers = {}, body }: JsonReply): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}
