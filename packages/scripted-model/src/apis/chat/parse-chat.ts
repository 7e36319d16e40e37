import { type ModelRequest, type RequestMessage, textMessage } from '../../request/model-request.js';
import { nameResults } from '../../request/name-results.js';
import type { Body, Headers } from '../api-format.js';
import { mergeResults } from '../merge-results.js';
import { isObject, joinTexts, objectsOf, stringOf, textOf } from '../untyped.js';

const SYSTEM_ROLES: readonly unknown[] = ['system', 'developer'];

/** A request to `/v1/chat/completions`. */
export function parseChat(body: Body, headers: Headers): ModelRequest {
  const messages = nameResults(mergeResults(objectsOf(body.messages).map(toMessage)));
  return {
    api: 'openai-chat',
    model: stringOf(body.model) ?? '',
    stream: body.stream === true,
    system: joinTexts(messages.filter(({ role }) => role === 'system').map(({ text }) => text)),
    messages,
    tools: objectsOf(body.tools).map((definition) => ({
      name: (isObject(definition.function) ? stringOf(definition.function.name) : undefined) ?? '',
      kind: definition.type === 'function' ? 'function' : 'other',
      definition,
    })),
    conversationId: stringOf(body.prompt_cache_key) ?? stringOf(headers['x-session-id']),
    wantsUsage: isObject(body.stream_options) && body.stream_options.include_usage === true,
    wantsJson: isObject(body.response_format) && body.response_format.type !== 'text',
  };
}

function toMessage(message: Body): RequestMessage {
  const { role } = message;
  const text = textOf(message.content);
  if (SYSTEM_ROLES.includes(role)) return textMessage('system', text);
  if (role === 'tool') {
    const result = { callId: stringOf(message.tool_call_id) ?? '', name: undefined, text };
    return { role: 'user', text: '', calls: [], results: [result] };
  }
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    text,
    calls: objectsOf(message.tool_calls).map(({ id, function: called }) => ({
      id: stringOf(id) ?? '',
      name: (isObject(called) ? stringOf(called.name) : undefined) ?? '',
      input: (isObject(called) ? stringOf(called.arguments) : undefined) ?? '',
    })),
    results: [],
  };
}
