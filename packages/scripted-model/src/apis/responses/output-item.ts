import type { JsonObject } from '@devs/core';
import type { AnswerPart, CallPart } from '../../reply/reply.js';
import type { OfferedTool } from '../../request/model-request.js';
import type { Wire } from '../api-format.js';

export interface OutputItem {
  readonly part: AnswerPart;
  readonly id: string;
  /** The item as it begins. */
  readonly begun: JsonObject;
  /** The item with all that was written. */
  readonly done: JsonObject;
}

/** Each part of an answer is one item of the output. */
export function toItem(part: AnswerPart, wire: Wire): OutputItem {
  switch (part.kind) {
    case 'text': {
      const id = wire.newId('msg');
      const head = { type: 'message', id, role: 'assistant' };
      const content = [{ type: 'output_text', text: part.text, annotations: [], logprobs: [] }];
      return {
        part,
        id,
        begun: { ...head, status: 'in_progress', content: [] },
        done: { ...head, status: 'completed', content },
      };
    }
    case 'thinking': {
      const id = wire.newId('rs');
      const head = { type: 'reasoning', id };
      const summary = [{ type: 'summary_text', text: part.text }];
      return { part, id, begun: { ...head, summary: [] }, done: { ...head, summary, encrypted_content: null } };
    }
    case 'call':
      return toCallItem(part, wire);
  }
}

function toCallItem(part: CallPart, { newId, request }: Wire): OutputItem {
  const id = newId(part.isCustom ? 'ctc' : 'fc');
  const type = part.isCustom ? 'custom_tool_call' : 'function_call';
  const head = { type, id, call_id: newId('call'), ...nameFields(part.name, request.tools) };
  const written = part.isCustom ? 'input' : 'arguments';
  return {
    part,
    id,
    begun: { ...head, [written]: '', status: 'in_progress' },
    done: { ...head, [written]: part.text, status: 'completed' },
  };
}

/** `mcp__memo__remember` is `remember` in the namespace `mcp__memo`, unless it is offered under its whole name. */
function nameFields(
  name: string,
  tools: readonly OfferedTool[],
): { readonly name: string; readonly namespace?: string } {
  const offered = tools.find((tool) => tool.name === name);
  if (offered !== undefined && offered.namespace === undefined) return { name };
  const at = offered === undefined ? mcpServerEnd(name) : name.length - ownNameOf(offered).length - SEPARATOR.length;
  if (at <= 0) return { name, ...(offered?.namespace !== undefined && { namespace: offered.namespace }) };
  return { namespace: name.slice(0, at), name: name.slice(at + SEPARATOR.length) };
}

const SEPARATOR = '__';

const ownNameOf = ({ name, namespace = '' }: OfferedTool) =>
  name.startsWith(`${namespace}${SEPARATOR}`) ? name.slice(namespace.length + SEPARATOR.length) : name;

/** -1 where it is no tool of an MCP server. */
function mcpServerEnd(name: string): number {
  const [, server] = /^(mcp__.+?)__./.exec(name) ?? [];
  return server?.length ?? -1;
}
