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

const MAX_CALLS = 500;

export function createHearing(deps: HearingDeps): Hearing {
  const { record, say, compaction } = deps;
  const words = new Words(deps);
  const calls = new Calls(deps);
  let used = 0;
  let cost: number | undefined;
  let turn = 0;
  return {
    take(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          return words.hear('message', textOf(update.content));
        case 'agent_thought_chunk':
          return words.hear('thought', textOf(update.content));
        case 'tool_call':
        case 'tool_call_update':
          words.flush();
          return calls.hear(update);
        case 'usage_update':
          if (update.cost?.currency === 'USD' && update.cost.amount !== cost) {
            cost = update.cost.amount;
            record({ type: 'cost', usd: cost });
          }
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
      words.flush();
      return calls.recorded(said);
    },
    flush: () => words.flush(),
  };
}

/** What the agent is saying, until it is complete. Whole lines are shown as they stream. */
class Words {
  private saying: { readonly type: 'message' | 'thought'; text: string; shown: number } | undefined;

  constructor(private readonly deps: HearingDeps) {}

  hear(type: 'message' | 'thought', text: string): void {
    if (this.saying?.type !== type) this.flush();
    this.saying ??= { type, text: '', shown: 0 };
    const { saying } = this;
    saying.text += text;
    const end = saying.text.lastIndexOf('\n');
    if (type === 'thought' || end < saying.shown) return;
    this.deps.say(saying.text.slice(saying.shown, end));
    saying.shown = end + 1;
  }

  flush(): void {
    if (this.saying === undefined) return;
    const { type, text, shown } = this.saying;
    this.saying = undefined;
    if (text.trim() === '') return;
    this.deps.record({ type, text });
    if (type === 'message') this.deps.say(text.slice(shown).trimEnd());
  }
}

/** The calls of tools: each is recorded once, and so is its answer. */
class Calls {
  private readonly seen = new Map<string, SeenCall>();

  constructor(private readonly deps: HearingDeps) {}

  hear(said: ToolCallUpdate): void {
    const seen = this.see(said);
    const { call } = seen;
    if (call.rawInput !== undefined || (call.status ?? 'pending') !== 'pending') this.record(seen);
    if (seen.isAnswered || (call.status !== 'completed' && call.status !== 'failed')) return;
    seen.isAnswered = true;
    const output = outputOf(call);
    const status = call.status === 'completed' ? 'ok' : 'error';
    this.deps.record({ type: 'answer', id: call.toolCallId, tool: toolOf(call), status, output });
    this.deps.say(`← ${status} ${output.split('\n', 1)[0]?.slice(0, 200) ?? ''}`.trimEnd());
  }

  recorded(said: ToolCallUpdate): KnownCall {
    const seen = this.see(said);
    this.record(seen);
    return seen.call;
  }

  private see(said: ToolCallUpdate): SeenCall {
    const seen = this.seen.get(said.toolCallId) ?? { call: said, isRecorded: false, isAnswered: false };
    seen.call = joinCall(seen.call, said);
    this.seen.set(said.toolCallId, seen);
    const [oldest] = this.seen.keys();
    if (this.seen.size > MAX_CALLS && oldest !== undefined) this.seen.delete(oldest);
    return seen;
  }

  private record(seen: SeenCall): void {
    if (seen.isRecorded) return;
    seen.isRecorded = true;
    const { call } = seen;
    const about = { tool: toolOf(call), input: inputOf(call), actions: actionsOf(call) };
    this.deps.record({ type: 'call', id: call.toolCallId, ...about });
    this.deps.say(`→ ${describeCall(call).split('\n', 1)[0] ?? ''}`);
  }
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
