import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '@devs/core';
import type { Body } from '../apis/api-format.js';
import { EMPTY_SCENARIO, type Scenario } from '../scenario/scenario.js';
import { sendJson } from './answer-call.js';
import { createHandler } from './create-handler.js';
import type { OtherRequest, RecordedRequest } from './recorded-request.js';
import type { Sleep } from './send-frames.js';

interface LogLimits {
  readonly requests: number;
  /** Of all bodies together, as they were sent. */
  readonly bytes: number;
}

const USUAL_LIMITS: LogLimits = { requests: 1_000, bytes: 64 * 1024 * 1024 };
const MAX_OTHERS = 1_000;

/** The newest requests. The oldest are forgotten where they are too many or too large; the newest is always there. */
function createRequestLog({ requests: most, bytes: mostBytes }: LogLimits = USUAL_LIMITS) {
  const entries: { readonly request: RecordedRequest; readonly bytes: number }[] = [];
  const others: OtherRequest[] = [];
  let total = 0;
  return {
    add(request: RecordedRequest, bytes: number): void {
      entries.push({ request, bytes });
      total += bytes;
      while (entries.length > 1 && (entries.length > most || total > mostBytes)) total -= entries.shift()?.bytes ?? 0;
    },
    addOther(other: OtherRequest): void {
      others.push(other);
      if (others.length > MAX_OTHERS) others.shift();
    },
    requests: (): readonly RecordedRequest[] => entries.map(({ request }) => request),
    others: (): readonly OtherRequest[] => [...others],
  };
}

/** Prompts are private to the user. */
const FOR_THE_USER_ALONE = 0o600;

/** Appends one line of JSON for each request. Each line is written at once, in order. */
function openRequestFile(path: string): { write(request: RecordedRequest, body: Body): void; close(): void } {
  const file = openSync(path, 'a', FOR_THE_USER_ALONE);
  return {
    write({ number, at, path: url, api, model, purpose, source, reply }, body) {
      writeSync(file, `${JSON.stringify({ number, at, path: url, api, model, purpose, source, reply, body })}\n`);
    },
    close: () => closeSync(file),
  };
}

const HOST = '127.0.0.1';
/** Clients reuse connections; a connection closed at that moment looks like a failure. */
const KEEP_ALIVE_MS = 120_000;

export interface ModelServerOptions {
  readonly scenario?: Scenario;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly clock?: Clock;
  /** Ids of answers and calls; the default counts, so that a test sees the same ones again. */
  readonly ids?: (prefix: string) => string;
  readonly sleep?: Sleep;
  /** Called when the answer is decided and before it is sent. Must not throw. */
  readonly onRequest?: (request: RecordedRequest) => void;
  readonly onOther?: (request: OtherRequest) => void;
  /** A file that gets one line of JSON for each request. */
  readonly record?: string;
  readonly keep?: LogLimits;
}

export interface ModelServer {
  /** Without a path: `ANTHROPIC_BASE_URL`. Clients of OpenAI's APIs want `/v1` behind it. */
  readonly url: string;
  readonly port: number;
  /** The newest calls to the model, oldest first. */
  requests(): readonly RecordedRequest[];
  /** The newest requests that were something else. */
  others(): readonly OtherRequest[];
  /** Switches to another scenario, whose rules start counting at zero. */
  play(scenario: Scenario): void;
  /** Ends at once, also answers that are under way. */
  close(): Promise<void>;
}

/** A model that answers by a script, for agents on this machine. Rejects where the port or the file cannot be had. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const log = createRequestLog(options.keep);
  const file = options.record === undefined ? undefined : openRequestFile(options.record);
  const closing = new AbortController();
  const { handle, play } = createHandler({
    scenario: options.scenario ?? EMPTY_SCENARIO,
    clock: options.clock ?? { now: Date.now },
    newId: options.ids ?? countIds(),
    sleep: options.sleep ?? sleepFor,
    closing: closing.signal,
    onRequest(request, { body, bytes }) {
      log.add(request, bytes);
      file?.write(request, body);
      options.onRequest?.(request);
    },
    onOther(other) {
      log.addOther(other);
      options.onOther?.(other);
    },
  });
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => confess(error, response));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await listen(server, options.port ?? 0).catch((error: unknown) => {
    file?.close();
    throw error;
  });
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort();
    await end(server);
    file?.close();
  };
  return {
    url: `http://${HOST}:${port}`,
    port,
    requests: log.requests,
    others: log.others,
    play,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

async function end(server: Server): Promise<void> {
  const ended = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await ended;
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  await once(server, 'listening'); // rejects on 'error'
}

/** The client went away while it was sending; or this is a mistake of ours, which agents should not try again. */
function confess(error: unknown, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const message = `The scripted model failed: ${error instanceof Error ? error.message : String(error)}`;
  const body = { type: 'error', error: { type: 'invalid_request_error', message } };
  sendJson(response, { status: 400, headers: { 'x-should-retry': 'false' }, body });
}

const sleepFor: Sleep = async (ms, signal) => {
  await wait(ms, undefined, { signal });
};

function countIds(): (prefix: string) => string {
  let last = 0;
  return (prefix) => `${prefix}_${String(++last).padStart(8, '0')}`;
}
