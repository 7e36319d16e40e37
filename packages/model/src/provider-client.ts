import { setTimeout as wait } from 'node:timers/promises';
import { type LlmAnswer, type LlmClient, type LlmMessage, messageOf } from '@devs/core';
import { ModelCallError } from './model-call-error.js';
import { RETRY_POLICY, type RetryPolicy, type RetryTools, withRetries } from './with-retries.js';

export interface ModelServer {
  readonly apiKey: string;
  /** Any server that speaks the same API. */
  readonly baseUrl?: string | undefined;
}

export interface ProviderClientOptions extends ModelServer {
  readonly model: string;
  /** The system prompt. */
  readonly system?: string | undefined;
  /** What one answer may have; more is cut off, and then resumed. */
  readonly maxTokens?: number | undefined;
  /** Until the first piece of an answer, and between two. */
  readonly silenceMs?: number | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly sleep?: RetryTools['sleep'] | undefined;
  readonly random?: RetryTools['random'] | undefined;
}

/** One streamed call to a provider. May reject with any error of its SDK. */
export type StreamCall = (call: {
  readonly messages: readonly LlmMessage[];
  readonly signal: AbortSignal;
  /** To be called for every piece that arrives. */
  readonly heard: () => void;
}) => Promise<LlmAnswer>;

const SILENCE_MS = 120_000;

/** Common to every provider: retries, time limits and uniform errors. */
export function createProviderClient(
  server: string,
  stream: StreamCall,
  { silenceMs = SILENCE_MS, retry = RETRY_POLICY, sleep = sleepFor, random = Math.random }: ProviderClientOptions,
): LlmClient {
  return {
    complete(prompt, { history = [], signal = new AbortController().signal } = {}) {
      const messages: readonly LlmMessage[] = [...history, { role: 'user', text: prompt }];
      const attempt = () => callOnce(stream, { messages, silenceMs, signal, server });
      return withRetries(attempt, { policy: retry, sleep, random }, signal);
    },
  };
}

interface OneCall {
  readonly messages: readonly LlmMessage[];
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  readonly server: string;
}

async function callOnce(stream: StreamCall, { messages, silenceMs, signal, server }: OneCall): Promise<LlmAnswer> {
  const silence = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silenceMs);
  };
  heard();
  try {
    return await stream({ messages: merged(messages), signal: AbortSignal.any([signal, silence.signal]), heard });
  } catch (cause) {
    signal.throwIfAborted();
    if (silence.signal.aborted) throw new ModelCallError(`the model sent nothing for ${silenceMs} ms`, { cause });
    throw asCallError(cause, server);
  } finally {
    clearTimeout(timer);
  }
}

/** Some servers insist on turns that alternate. */
function merged(messages: readonly LlmMessage[]): readonly LlmMessage[] {
  const out: LlmMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last?.role === message.role) out[out.length - 1] = { ...last, text: `${last.text}\n\n${message.text}` };
    else out.push(message);
  }
  return out;
}

/** An HTML error page is too long for a terminal. */
const MAX_MESSAGE = 2_000;

/** Errors of the SDKs have a status and headers if the provider answered. */
function asCallError(cause: unknown, server: string): ModelCallError {
  if (cause instanceof ModelCallError) return cause;
  const { status, headers } = cause as { status?: unknown; headers?: unknown };
  const unreachable = typeof status === 'number' ? undefined : whyUnreachable(cause);
  if (unreachable !== undefined) {
    return new ModelCallError(`${server} cannot be reached: ${unreachable}`, { cause, isUnreachable: true });
  }
  const message = messageOf(cause);
  return new ModelCallError(message.slice(0, MAX_MESSAGE), {
    status: typeof status === 'number' ? status : undefined,
    retryAfterMs: headers instanceof Headers ? retryAfter(headers) : undefined,
    cause,
  });
}

/** Connection errors in words. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
};

/** The SDKs and `fetch` wrap what happened several times over; of several addresses, each has failed. */
function whyUnreachable(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const words = typeof code === 'string' ? UNREACHABLE[code] : undefined;
  if (words !== undefined) return `${words} (${String(code)})`;
  const [first] = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
  const deeper = whyUnreachable(first, depth + 1) ?? whyUnreachable(cause, depth + 1);
  // `fetch` fails this way before any answer; afterwards an error has another message.
  const failed = error instanceof TypeError && error.message === 'fetch failed';
  return deeper ?? (failed && cause instanceof Error ? cause.message : undefined);
}

/** In milliseconds, in seconds, or as a date. */
function retryAfter(headers: Headers): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

const sleepFor: RetryTools['sleep'] = async (ms, signal) => {
  await wait(ms, undefined, { signal });
};
