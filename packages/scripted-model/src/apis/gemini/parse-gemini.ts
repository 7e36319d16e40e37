import type { ModelRequest, RequestMessage, ToolCall, ToolResult } from '../../request/model-request.js';
import type { Body, Headers } from '../api-format.js';
import { isObject, objectsOf, stringOf, textOf } from '../untyped.js';

/** A request to `/v1beta/models/MODEL:streamGenerateContent`, or the same without the stream. */
export function parseGemini(body: Body, _headers: Headers, path = ''): ModelRequest {
  const [, model = '', manner] = /\/models\/([^/:]+):(\w+)$/.exec(path) ?? [];
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  return {
    api: 'gemini',
    model,
    stream: manner === 'streamGenerateContent',
    system: isObject(body.systemInstruction) ? textOf(body.systemInstruction.parts) : '',
    messages: objectsOf(body.contents).map(toMessage),
    tools: objectsOf(body.tools)
      .flatMap((tool) => objectsOf(tool.functionDeclarations))
      .map((definition) => ({ name: stringOf(definition.name) ?? '', kind: 'function', definition })),
    wantsJson: config.responseMimeType === 'application/json',
  };
}

function toMessage({ role, parts }: Body): RequestMessage {
  const pieces = objectsOf(parts);
  return {
    role: role === 'model' ? 'assistant' : 'user',
    text: textOf(pieces.filter(({ thought }) => thought !== true)),
    calls: pieces.flatMap(({ functionCall }) => (isObject(functionCall) ? [toCall(functionCall)] : [])),
    results: pieces.flatMap(({ functionResponse }) => (isObject(functionResponse) ? [toResult(functionResponse)] : [])),
  };
}

/** Without an id of its own a call is known by the name of its tool. */
const toCall = ({ id, name, args }: Body): ToolCall => ({
  id: stringOf(id) ?? stringOf(name) ?? '',
  name: stringOf(name) ?? '',
  input: JSON.stringify(args ?? {}),
});

function toResult({ id, name, response }: Body): ToolResult {
  const said = isObject(response) ? response : {};
  const text = stringOf(said.output) ?? stringOf(said.error) ?? JSON.stringify(said);
  return { callId: stringOf(id) ?? stringOf(name) ?? '', name: stringOf(name), text };
}
