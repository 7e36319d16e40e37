import type { JsonObject } from '@devs/core';
import { z } from 'zod';

const text = z.string();
const record = z.record(text, z.unknown());

const State = z.object({ state: z.enum(['running', 'requires_action', 'idle']) });
const Init = z.object({ session_id: text, model: text.optional(), claude_code_version: text.optional() });
const Tasks = z.object({ tasks: z.array(z.object({ task_type: text.optional() })) });
const Boundary = z.object({
  compact_metadata: z.object({ pre_tokens: z.number().optional(), post_tokens: z.number().optional() }),
});
const Status = z.object({ compact_result: text, compact_error: text.optional() });
const Lifecycle = z.object({ command_uuid: text, state: text });
const Said = z.object({
  uuid: text.optional(),
  isReplay: z.boolean().optional(),
  parent_tool_use_id: text.nullish(),
  message: z.object({ content: z.union([text, z.array(record)]) }),
});
const Asked = z.object({ request_id: text, request: z.looseObject({ subtype: text }) });
const Response = z.object({
  response: z.object({
    subtype: text,
    request_id: text,
    response: record.optional(),
    error: text.optional(),
  }),
});
const Result = z.object({
  subtype: text,
  is_error: z.boolean(),
  terminal_reason: text.nullish(),
  api_error_status: z.number().nullish(),
  stop_reason: text.nullish(),
  result: text.optional(),
  total_cost_usd: z.number().optional(),
  user_message_uuids: z.array(text).optional(),
});

export type TurnResult = z.infer<typeof Result>;
export type AskedRequest = z.infer<typeof Asked>;

/** One line of the agent, as far as devs needs it. */
export type StreamMessage =
  | { readonly type: 'state'; readonly state: z.infer<typeof State>['state'] }
  | { readonly type: 'init'; readonly sessionId: string; readonly version: string | undefined }
  | { readonly type: 'tasks'; readonly subAgents: number; readonly shells: number }
  | { readonly type: 'compacted' }
  | { readonly type: 'compaction failed'; readonly why: string }
  | { readonly type: 'prompt'; readonly uuid: string; readonly is: 'replayed' | 'over' }
  | { readonly type: 'said'; readonly role: 'assistant' | 'user'; readonly parts: readonly JsonObject[] }
  | ({ readonly type: 'asked' } & AskedRequest)
  | { readonly type: 'withdrawn'; readonly requestId: string }
  | { readonly type: 'response'; readonly requestId: string; readonly value: JsonObject | undefined }
  | ({ readonly type: 'result' } & TurnResult);

/** `undefined` for what is of no use here, or is not understood: a newer version says more. Pure. */
export function readMessage(line: string): StreamMessage | undefined {
  const read = record.safeParse(parsed(line)).data;
  switch (read?.type) {
    case 'system':
      return readSystem(read);
    case 'command_lifecycle': {
      const { data } = Lifecycle.safeParse(read);
      const isOver = data?.state === 'completed' || data?.state === 'cancelled';
      return data === undefined || !isOver ? undefined : { type: 'prompt', uuid: data.command_uuid, is: 'over' };
    }
    case 'assistant':
    case 'user':
      return readSaid(read, read.type);
    case 'control_request': {
      const { data } = Asked.safeParse(read);
      return data === undefined ? undefined : { type: 'asked', ...data };
    }
    case 'control_cancel_request':
      return typeof read.request_id === 'string' ? { type: 'withdrawn', requestId: read.request_id } : undefined;
    case 'control_response': {
      const response = Response.safeParse(read).data?.response;
      if (response === undefined) return undefined;
      const value = response.subtype === 'success' ? ((response.response ?? {}) as JsonObject) : undefined;
      return { type: 'response', requestId: response.request_id, value };
    }
    case 'result': {
      const { data } = Result.safeParse(read);
      return data === undefined ? undefined : { type: 'result', ...data };
    }
    default:
      return undefined;
  }
}

function readSystem(read: Readonly<Record<string, unknown>>): StreamMessage | undefined {
  switch (read.subtype) {
    case 'session_state_changed': {
      const { data } = State.safeParse(read);
      return data === undefined ? undefined : { type: 'state', state: data.state };
    }
    case 'init': {
      const { data } = Init.safeParse(read);
      return data === undefined
        ? undefined
        : { type: 'init', sessionId: data.session_id, version: data.claude_code_version };
    }
    case 'background_tasks_changed': {
      const { data } = Tasks.safeParse(read);
      if (data === undefined) return undefined;
      const subAgents = data.tasks.filter(({ task_type: type }) => type?.includes('agent')).length;
      return { type: 'tasks', subAgents, shells: data.tasks.length - subAgents };
    }
    case 'compact_boundary':
      return Boundary.safeParse(read).success ? { type: 'compacted' } : undefined;
    case 'status': {
      const { data } = Status.safeParse(read);
      return data?.compact_result === 'failed'
        ? { type: 'compaction failed', why: data.compact_error ?? 'it does not say why' }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Of sub-agents nothing: their words are in files of their own. */
function readSaid(read: Readonly<Record<string, unknown>>, role: 'assistant' | 'user'): StreamMessage | undefined {
  const { data } = Said.safeParse(read);
  if (data === undefined || (data.parent_tool_use_id ?? null) !== null) return undefined;
  if (data.isReplay === true)
    return data.uuid === undefined ? undefined : { type: 'prompt', uuid: data.uuid, is: 'replayed' };
  const { content } = data.message;
  return { type: 'said', role, parts: typeof content === 'string' ? [] : (content as readonly JsonObject[]) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
