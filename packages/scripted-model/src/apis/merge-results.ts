import type { RequestMessage } from '../request/model-request.js';

/** Merges consecutive tool results into one message; the same for the pieces of one answer. */
export function mergeResults(messages: readonly RequestMessage[]): readonly RequestMessage[] {
  const merged: RequestMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last !== undefined && belongTogether(last, message)) merged[merged.length - 1] = join(last, message);
    else merged.push(message);
  }
  return merged;
}

const belongTogether = (a: RequestMessage, b: RequestMessage) =>
  (a.role === 'assistant' && b.role === 'assistant') || (isResult(a) && isResult(b));

const isResult = ({ results, text }: RequestMessage) => results.length > 0 && text === '';

const join = (a: RequestMessage, b: RequestMessage): RequestMessage => ({
  role: a.role,
  text: [a.text, b.text].filter((text) => text !== '').join('\n'),
  calls: [...a.calls, ...b.calls],
  results: [...a.results, ...b.results],
});
