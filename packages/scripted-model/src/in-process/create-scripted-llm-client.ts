import { setTimeout as wait } from 'node:timers/promises';
import type { CompleteOptions, LlmAnswer, LlmClient } from '@devs/core';
import { createPast } from '../decide/create-past.js';
import { decideReply } from '../decide/decide-reply.js';
import type { Answer, Reply } from '../reply/reply.js';
import { type ModelRequest, textMessage } from '../request/model-request.js';
import { EMPTY_SCENARIO, type Scenario } from '../scenario/scenario.js';
import type { Sleep } from '../server/send-frames.js';
import { ScriptedModelError } from './scripted-model-error.js';

export interface ScriptedLlmClientOptions {
  readonly sleep?: Sleep;
  /** Called for every request before it is answered. Must not throw. */
  readonly onRequest?: (request: ModelRequest) => void;
  /** The system prompt. */
  readonly system?: string;
}

/** The scripted model without a wire: the same scenarios and directives. Tools have no meaning here and are an error. */
export function createScriptedLlmClient(
  scenario: Scenario = EMPTY_SCENARIO,
  { sleep = sleepFor, onRequest, system = '' }: ScriptedLlmClientOptions = {},
): LlmClient {
  const past = createPast();
  return {
    async complete(prompt, options = {}) {
      const request = toRequest(prompt, options, system);
      onRequest?.(request);
      const decision = decideReply(request, scenario, past);
      past.remember(decision);
      const signal = options.signal ?? new AbortController().signal;
      signal.throwIfAborted();
      if (decision.reply.delayMs > 0) await sleep(decision.reply.delayMs, signal);
      return toAnswer(decision.reply, signal);
    },
  };
}

const toRequest = (prompt: string, { history = [] }: CompleteOptions, system: string): ModelRequest => ({
  api: 'in-process',
  model: '',
  stream: false,
  system,
  messages: [...history.map(({ role, text }) => textMessage(role, text)), textMessage('user', prompt)],
  tools: [],
  wantsJson: false,
});

async function toAnswer(reply: Reply, signal: AbortSignal): Promise<LlmAnswer> {
  if (reply.kind === 'refusal') {
    const { status, message, overflow } = reply.error;
    const tooLong = overflow && `prompt is too long: ${overflow.tokens} tokens > ${overflow.window} maximum`;
    throw new ScriptedModelError(message ?? tooLong ?? `The scripted model answered with status ${status}`, status);
  }
  const { ending, usage } = reply;
  switch (ending.kind) {
    case 'hang':
      return hang(signal);
    case 'drop':
      throw new ScriptedModelError('The scripted connection broke');
    case 'failure':
      throw new ScriptedModelError(ending.error.message ?? 'The scripted answer failed', ending.error.status);
    default: {
      const stopReason = ending.kind === 'cut' ? 'max_tokens' : 'end_turn';
      return { text: textOf(reply), stopReason, usage: { inputTokens: usage.input, outputTokens: usage.output } };
    }
  }
}

function textOf({ parts }: Answer): string {
  const call = parts.find(({ kind }) => kind === 'call');
  if (call !== undefined) throw new ScriptedModelError('The script calls a tool, and this client has none to offer');
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

const hang = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const sleepFor: Sleep = async (ms, signal) => {
  await wait(ms, undefined, { signal });
};
