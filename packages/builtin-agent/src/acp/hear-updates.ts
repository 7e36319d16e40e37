import type { ContentBlock, SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { BuiltinFact } from '@devs/drivers';
import { actionsOf, describeCall, inputOf, joinCall, type KnownCall, outputOf, toolOf } from './tool-facts.js';

/** What the agent says and does in one session, written down and shown as it comes. */
export interface Hearing {
  take(update: SessionUpdate): void;
  /** The call that a permission is about, with all that is known of it. */
  callOf(said: ToolCallUpdate): KnownCall;
  /** What was begun to be said is complete. */
  flush(): void;
}

export interface HearingDeps {
  record(fact: BuiltinFact): void;
  say(text: string): void;
  readonly compaction: () => 'auto' | 'manual';
}

interface SeenCall {
  call: KnownCall;
  isRecorded: boolean;
  isAnswered: boolean;
}

const MOST_CALLS = 500;

export function createHearing({ record, say, compaction }: HearingDeps): Hearing {
  const calls = new Map<string, SeenCall>();
  let saying: { readonly type: 'message' | 'thought'; text: string; shown: number } | undefined;
  let used = 0;
  let turn = 0;

  const flush = () => {
    if (saying === undefined) return;
    const { type, text, shown } = saying;
    saying = undefined;
    if (text.trim() === '') return;
    record({ type, text });
    if (type === 'message') say(text.slice(shown).trimEnd());
  };
  /** Whole lines are shown as they stream. */
  const hear = (type: 'message' | 'thought', text: string) => {
    if (saying?.type !== type) flush();
    saying ??= { type, text: '', shown: 0 };
    saying.text += text;
    const end = saying.text.lastIndexOf('\n');
    if (type === 'thought' || end < saying.shown) return;
    say(saying.text.slice(saying.shown, end));
    saying.shown = end + 1;
  };

  const see = (said: ToolCallUpdate): SeenCall => {
    const seen = calls.get(said.toolCallId) ?? { call: said, isRecorded: false, isAnswered: false };
    seen.call = joinCall(seen.call, said);
    calls.set(said.toolCallId, seen);
    const [oldest] = calls.keys();
    if (calls.size > MOST_CALLS && oldest !== undefined) calls.delete(oldest);
    return seen;
  };
  const recordCall = (seen: SeenCall) => {
    if (seen.isRecorded) return;
    seen.isRecorded = true;
    const { call } = seen;
    const about = { tool: toolOf(call), input: inputOf(call), actions: actionsOf(call) };
    record({ type: 'call', id: call.toolCallId, ...about });
    say(`→ ${describeCall(call).split('\n', 1)[0] ?? ''}`);
  };
  const hearCall = (said: ToolCallUpdate) => {
    flush();
    const seen = see(said);
    const { call } = seen;
    if (call.rawInput !== undefined || (call.status ?? 'pending') !== 'pending') recordCall(seen);
    if (seen.isAnswered || (call.status !== 'completed' && call.status !== 'failed')) return;
    seen.isAnswered = true;
    const output = outputOf(call);
    const status = call.status === 'completed' ? 'ok' : 'error';
    record({ type: 'answer', id: call.toolCallId, tool: toolOf(call), status, output });
    say(`← ${status} ${output.split('\n', 1)[0]?.slice(0, 200) ?? ''}`.trimEnd());
  };

  return {
    take(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          return hear('message', textOf(update.content));
        case 'agent_thought_chunk':
          return hear('thought', textOf(update.content));
        case 'tool_call':
        case 'tool_call_update':
          return hearCall(update);
        case 'usage_update':
          if (update.used <= 0 || update.used > update.size || update.used === used) return; // some say 0 after a cancel
          used = update.used;
          turn += 1;
          return record(usage(turn, update));
        case 'compaction_update':
          if (update.status !== 'completed') return;
          record({
            type: 'compaction',
            trigger: compaction(),
            summary: (update.summary ?? []).map(textOf).join('\n'),
            ...(used === 0 ? {} : { tokensBefore: used }),
          });
          return say('Compacted.');
        default:
          return;
      }
    },
    callOf(said) {
      flush();
      const seen = see(said);
      recordCall(seen);
      return seen.call;
    },
    flush,
  };
}

const textOf = (content: ContentBlock): string => (content.type === 'text' ? content.text : `[${content.type}]`);

const usage = (turn: number, { used, size }: { readonly used: number; readonly size: number }): BuiltinFact => ({
  type: 'usage',
  turn,
  inputTokens: used,
  outputTokens: 0,
  window: size,
  model: '',
  calls: 1,
  totalInputTokens: used,
  totalOutputTokens: 0,
  estimated: false,
});
