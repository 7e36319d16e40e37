import type { RequestMessage } from './model-request.js';

/** The same messages, in which every result of a tool has the name of the tool that was called. */
export function nameResults(messages: readonly RequestMessage[]): readonly RequestMessage[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    for (const { id, name } of message.calls) names.set(id, name);
    if (message.results.length === 0) return message;
    return { ...message, results: message.results.map((result) => ({ ...result, name: names.get(result.callId) })) };
  });
}
