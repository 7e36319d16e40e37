import { type ModelRequest, type OfferedTool, type RequestMessage, textMessage } from '../../request/model-request.js';
import { nameResults } from '../../request/name-results.js';
import type { Body, Headers } from '../api-format.js';
import { mergeResults } from '../merge-results.js';
import { isObject, joinTexts, objectsOf, stringOf, textOf } from '../untyped.js';

/** A request to `/v1/responses`. */
export function parseResponses(body: Body, headers: Headers): ModelRequest {
  const input =
    typeof body.input === 'string' ? [textMessage('user', body.input)] : objectsOf(body.input).flatMap(toMessage);
  const messages = nameResults(mergeResults(input));
  const said = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  return {
    api: 'openai-responses',
    model: stringOf(body.model) ?? '',
    stream: body.stream === true,
    system: joinTexts([stringOf(body.instructions) ?? '', ...said]),
    messages,
    tools: [...objectsOf(body.tools), ...addedTools(body.input)].flatMap(toTools),
    conversationId: stringOf(body.prompt_cache_key) ?? stringOf(headers.session_id),
    wantsJson: isObject(body.text) && isObject(body.text.format) && body.text.format.type !== 'text',
  };
}

/** Newer models of Codex get their tools as the first item of the input. */
const addedTools = (input: unknown) =>
  objectsOf(input).flatMap(({ type, tools }) => (type === 'additional_tools' ? objectsOf(tools) : []));

function toMessage(item: Body): readonly RequestMessage[] {
  switch (item.type ?? 'message') {
    case 'message':
      return [spoken(item)];
    case 'function_call':
    case 'custom_tool_call':
      return [{ role: 'assistant', text: '', calls: [toCall(item)], results: [] }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'user', text: '', calls: [], results: [toResult(item)] }];
    default:
      return []; // thoughts and the provider's own items: not for us to read
  }
}

function spoken({ role, content }: Body): RequestMessage {
  const text = textOf(content);
  if (role === 'assistant') return textMessage('assistant', text);
  return textMessage(role === 'user' ? 'user' : 'system', text);
}

/** Codex has the tools of an MCP server in a namespace; here they have one name, as elsewhere. */
const toCall = ({ call_id, namespace, name, arguments: written, input }: Body) => ({
  id: stringOf(call_id) ?? '',
  name: qualified(stringOf(namespace), stringOf(name) ?? ''),
  input: stringOf(written) ?? stringOf(input) ?? '',
});

const toResult = ({ call_id, output }: Body) => ({
  callId: stringOf(call_id) ?? '',
  name: undefined,
  text: textOf(output),
});

/** The namespace of tools without their own. */
const PLAIN_NAMESPACE = 'functions';

function toTools(definition: Body): readonly OfferedTool[] {
  if (definition.type !== 'namespace') return [toTool(definition, undefined)];
  const namespace = stringOf(definition.name);
  return objectsOf(definition.tools).map((tool) => toTool(tool, namespace));
}

function toTool(definition: Body, namespace: string | undefined): OfferedTool {
  const own = stringOf(definition.name) ?? stringOf(definition.type) ?? '';
  const kind = definition.type === 'function' || definition.type === 'custom' ? definition.type : 'other';
  return { name: qualified(namespace, own), namespace, kind, definition };
}

const qualified = (namespace: string | undefined, name: string) =>
  namespace === undefined || namespace === PLAIN_NAMESPACE ? name : `${namespace}__${name}`;
