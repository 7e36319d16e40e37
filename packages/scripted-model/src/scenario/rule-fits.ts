import { createContext, Script } from 'node:vm';
import type { Prompt } from '../request/find-prompt.js';
import type { ModelRequest } from '../request/model-request.js';
import type { Purpose } from '../request/purpose-of.js';
import type { Condition } from './scenario.js';

/** A pattern that goes astray must not hold up all others. */
const MAX_MS = 2_000;
const MATCH = new Script('pattern.test(text)');

/** Whether a text matches; `undefined` where finding out takes too long. */
export function matchesPattern(source: string, text: string): boolean | undefined {
  try {
    return MATCH.runInContext(createContext({ pattern: new RegExp(source, 'u'), text }), { timeout: MAX_MS });
  } catch {
    return undefined;
  }
}

export interface Situation {
  readonly request: ModelRequest;
  readonly prompt: Prompt;
  readonly purpose: Purpose;
  /** The number of this request among those of its purpose, from 1. */
  readonly call: number;
}

/** Whether all that a rule asks for holds. */
export function ruleFits(when: Condition, { request, prompt, purpose, call }: Situation): boolean {
  return (
    when.purpose === purpose &&
    (when.api === undefined || when.api === request.api) &&
    (when.model === undefined || request.model.includes(when.model)) &&
    (when.offers === undefined || request.tools.some(({ name }) => name === when.offers)) &&
    (when.call === undefined || isCounted(when.call, call)) &&
    (when.toolResult === undefined || hasResult(when.toolResult, request)) &&
    when.prompt.every((text) => prompt.text.includes(text)) &&
    when.system.every((text) => request.system.includes(text)) &&
    when.conversation.every((text) => request.messages.some((message) => mentions(message, text))) &&
    (when.matches === undefined || matchesPattern(when.matches, prompt.text) === true)
  );
}

const isCounted = ({ from, to, every }: NonNullable<Condition['call']>, call: number) =>
  call >= from && call <= to && (call - from) % every === 0;

/** The last results; only system messages may follow them. */
function hasResult({ name, contains }: NonNullable<Condition['toolResult']>, { messages }: ModelRequest): boolean {
  const last = messages.findLast(({ role }) => role !== 'system');
  return (last?.results ?? []).some(
    (result) => (name === undefined || result.name === name) && contains.every((text) => result.text.includes(text)),
  );
}

const mentions = ({ text, results }: ModelRequest['messages'][number], wanted: string) =>
  text.includes(wanted) || results.some((result) => result.text.includes(wanted));
