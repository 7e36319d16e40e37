import { type ModelRequest, type RequestMessage, textMessage } from '../../request/model-request.js';
import { nameResults } from '../../request/name-results.js';
import type { Body, Headers } from '../api-format.js';
import { isObject, joinTexts, objectsOf, stringOf, textOf } from '../untyped.js';

/** A request to `/v1/messages`, or to `/v1/messages/count_tokens`. */
export function parseAnthropic(body: Body, headers: Headers): ModelRequest {
  const messages = nameResults(objectsOf(body.messages).map(toMessage));
  const said = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  return {
    api: 'anthropic-messages',
    model: stringOf(body.model) ?? '',
    stream: body.stream === true,
    system: joinTexts([textOf(body.system), ...said]),
    messages,
    tools: objectsOf(body.tools).map((definition) => ({
      name: stringOf(definition.name) ?? '',
      kind: definition.input_schema === undefined ? 'other' : 'function',
      definition,
    })),
    conversationId: sessionOf(body, headers),
    wantsJson: isObject(body.output_config) && isObject(body.output_config.format),
  };
}

function toMessage({ role, content }: Body): RequestMessage {
  if (role === 'system') return textMessage('system', textOf(content));
  const blocks = objectsOf(content);
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    text: typeof content === 'string' ? content : textOf(blocks.filter(({ type }) => type === 'text')),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({
        id: stringOf(id) ?? '',
        name: stringOf(name) ?? '',
        input: JSON.stringify(input ?? {}),
      })),
    results: blocks
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({ callId: stringOf(block.tool_use_id) ?? '', name: undefined, text: textOf(block.content) })),
  };
}

/** Claude Code names its session in a header, and in JSON in a field for other purposes. */
function sessionOf({ metadata }: Body, headers: Headers): string | undefined {
  const named = stringOf(headers['x-claude-code-session-id']);
  if (named !== undefined || !isObject(metadata)) return named;
  return stringOf(metadata.user_id);
}
