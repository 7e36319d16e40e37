import type { ModelRequest, RequestMessage } from './model-request.js';
import { ownText } from './own-text.js';

/** The user's last prompt, and the agent's progress since. */
export interface Prompt {
  readonly text: string;
  /** Index of its message; -1 without a prompt. */
  readonly index: number;
  /** How many calls of tools have been answered since; some tools answer more than once. */
  readonly results: number;
  /** Whether the model has given an answer without tool calls since, so that its turn was over. */
  readonly answered: boolean;
}

/** The prompt that a request is about. All is read from the request, so that a repeated one finds the same. */
export function findPrompt({ messages }: Pick<ModelRequest, 'messages'>): Prompt {
  const index = messages.findLastIndex((message) => message.role === 'user' && ownText(message.text) !== '');
  const since = messages.slice(index + 1);
  return {
    text: ownText(messages[index]?.text ?? ''),
    index,
    results: new Set(since.flatMap(({ results }) => results.map(({ callId }) => callId))).size,
    answered: since.some((message, at) => isLastWord(message, since[at + 1])),
  };
}

/** Some APIs send an answer's text and its calls as separate messages. */
const isLastWord = (message: RequestMessage, next: RequestMessage | undefined) =>
  message.role === 'assistant' && message.calls.length === 0 && next !== undefined && next.role !== 'assistant';
