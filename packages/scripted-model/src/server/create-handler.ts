import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Clock } from '@devs/core';
import type { ApiFormat, Body } from '../apis/api-format.js';
import { apiAt } from '../apis/apis.js';
import { isObject } from '../apis/untyped.js';
import { createPast } from '../decide/create-past.js';
import { decideReply } from '../decide/decide-reply.js';
import type { Scenario } from '../scenario/scenario.js';
import { answerCall, sendJson } from './answer-call.js';
import { answerOthers } from './answer-others.js';
import { recordRequest } from './record-request.js';
import type { OtherRequest, Outcome, RecordedRequest } from './recorded-request.js';
import type { Sleep } from './send-frames.js';

const MAX_BYTES = 64 * 1024 * 1024;

type ReadBody =
  | { readonly kind: 'body'; readonly body: Body /** Not compressed. */; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string };

/** The body of a request; an expected mistake is a value. */
async function readJson(request: IncomingMessage): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return refused(413, 'The request is over 64 MB.');
    chunks.push(chunk);
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') return refused(415, `The encoding ${encoding} is not known.`);
  if (bytes === 0) return { kind: 'body', body: {}, bytes: Buffer.from('{}') };
  try {
    const sent = Buffer.concat(chunks);
    const plain = encoding === 'gzip' ? gunzipSync(sent, { maxOutputLength: MAX_BYTES }) : sent;
    const body: unknown = JSON.parse(plain.toString('utf8'));
    return isObject(body) ? { kind: 'body', body, bytes: plain } : refused(400, 'The request is not a JSON object.');
  } catch {
    return refused(400, 'The request is not JSON.');
  }
}

const refused = (status: number, message: string): ReadBody => ({ kind: 'refused', status, message });

/** Names under which a browser may call us; a page elsewhere that resolves to this machine has another. */
const OWN_NAMES = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

const NOT_FOUND = {
  type: 'not_found_error',
  message:
    'There are POST /v1/messages, /v1/responses, /v1/chat/completions and /v1beta/models/NAME:generateContent, and GET /v1/models.',
};

export interface HandlerDeps {
  readonly scenario: Scenario;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  readonly sleep: Sleep;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  /** Once for each call to the model, when its answer is decided and before it is sent. */
  readonly onRequest: (request: RecordedRequest, sent: { readonly body: Body; readonly bytes: number }) => void;
  readonly onOther: (request: OtherRequest) => void;
}

interface Call {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly body: Body;
  readonly bytes: Buffer;
}

/** Answers HTTP requests by a scenario, which may be changed in between. */
export function createHandler({ clock, newId, sleep, closing, onRequest, onOther, ...deps }: HandlerDeps) {
  let { scenario } = deps;
  let past = createPast();
  let number = 0;

  const call = async (api: ApiFormat, { incoming, response, path, body, bytes }: Call) => {
    const request = api.parse(body, incoming.headers, path);
    const decision = decideReply(request, scenario, past);
    past.remember(decision);
    const { purpose, source, reply } = decision;
    const { model, stream, conversationId, wantsJson } = request;
    let outcome: Outcome = 'answering';
    const facts = {
      ...{ number: ++number, at: clock.now(), path, purpose, source, reply, prompt: decision.prompt.text },
      ...{ api: request.api, model, stream, conversationId, wantsJson },
    };
    onRequest(recordRequest(facts, { api, bytes, outcome: () => outcome }), { body, bytes: bytes.length });
    outcome = await answerCall({ api, reply, request, response, clock, newId, sleep, closing });
  };

  return {
    async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
      const path = new URL(incoming.url ?? '/', 'http://localhost').pathname;
      const method = incoming.method ?? 'GET';
      if (!OWN_NAMES.test(incoming.headers.host ?? '')) return refuse(response, 403, 'This is for this machine only.');
      const read = await readJson(incoming);
      if (read.kind === 'refused') {
        onOther({ method, path, status: read.status });
        return refuse(response, read.status, read.message);
      }
      const api = method === 'POST' ? apiAt(path) : undefined;
      if (api !== undefined) return call(api, { incoming, response, path, ...read });
      const answer = answerOthers({ method, path, body: read.body, scale: scenario.scale });
      const status = answer === undefined ? 404 : 200;
      onOther({ method, path, status });
      sendJson(response, { status, body: answer ?? { type: 'error', error: NOT_FOUND } });
    },
    play(next: Scenario): void {
      scenario = next;
      past = createPast();
    },
  };
}

const refuse = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, { status, body: { type: 'error', error: { type: 'invalid_request_error', message } } });
