import { estimateTokens, type JsonObject, type SaopEnvelope } from '@devs/core';
import type { CompactionSize, Conversation } from '../conversation/open-conversation.js';
import { decidePermission, describeCall, type PermissionPolicy, ruleFor } from '../permissions/decide-permission.js';
import type { Observed, ToolBox } from '../tools/create-tool-box.js';
import type { AgentSetup, Face } from './agent-setup.js';
import { type ModelTrouble, troubleOf } from './model-trouble.js';
import type { TakenTurn, TurnTaker } from './take-turn.js';

/** What one conversation is worked on with. */
export interface Work {
  readonly conversation: Conversation;
  readonly setup: Pick<AgentSetup, 'model' | 'clock' | 'newId'>;
  readonly size: CompactionSize;
  readonly turns: TurnTaker;
  readonly box: ToolBox;
  /** May get more rules while the agent runs. */
  permissions: PermissionPolicy;
  readonly face: Face;
  /** While a question is on the screen. */
  onWaiting(detail: string): void;
  onBusy(): void;
}

/** `failed`: the model could not be asked, or gave no usable answer; with an `error`, only the user can help. */
export type WorkEnd = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly error?: string };

/** The agent's own compaction: the backstop above the marks at which a supervisor renews it. */
const COMPACT_AT_SHARE = 0.8;
/** A compaction that leaves next to nothing is not done again for the same message. */
const MIN_MESSAGES = 4;

/** Takes turn after turn until the model ends its own. Rejects with the signal's reason, and where nothing can be recorded. */
export async function workOnRequest(work: Work, signal: AbortSignal): Promise<WorkEnd> {
  const { conversation, size, face } = work;
  const makeRoom = () => {
    conversation.compact('auto', size);
    face.say('The conversation was getting full: it continues from its records.');
  };
  let hasOverflowed = false;
  for (;;) {
    signal.throwIfAborted();
    const { tokens, messages } = conversation.state;
    if (tokens >= size.window * COMPACT_AT_SHARE && messages.length >= MIN_MESSAGES) makeRoom();
    const taken = await takeTurn(work, signal);
    if (taken.kind === 'trouble') {
      if (taken.trouble.kind !== 'overflow') return giveUp(taken.trouble, work);
      if (hasOverflowed)
        return giveUp({ kind: 'refused', detail: 'The conversation does not fit into the model.' }, work);
      hasOverflowed = true;
      makeRoom();
      continue;
    }
    hasOverflowed = false;
    if (taken.kind === 'escalation') return escalate(taken.reason, taken.summary, work);
    const { tool_name: tool, arguments: given } = taken.envelope.action;
    if (tool === 'end_turn') {
      face.say(typeof given.message === 'string' ? given.message : 'Done.');
      return { kind: 'done' };
    }
    await act(tool, given as JsonObject, work, signal);
  }
}

type Turn =
  | { readonly kind: 'envelope'; readonly envelope: SaopEnvelope }
  | { readonly kind: 'escalation'; readonly reason: string; readonly summary: string }
  | { readonly kind: 'trouble'; readonly trouble: ModelTrouble };

async function takeTurn({ conversation, turns, setup, face }: Work, signal: AbortSignal): Promise<Turn> {
  const { state } = conversation;
  const { turn } = state;
  const reminder = turns.takeReminder();
  if (reminder !== undefined) {
    const tokens = estimateTokens(reminder);
    conversation.append({ type: 're-injection', turn, tokens });
  }
  let taken: TakenTurn;
  try {
    taken = await turns.take(state, { conversationId: conversation.id, reminder, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'trouble', trouble: troubleOf(error, setup.clock.now(), setup.model) };
  }
  const { outcome, usage, resumed, corrections } = taken;
  if (resumed) conversation.append({ type: 'resumed', turn });
  if (corrections > 0) conversation.append({ type: 'corrected', turn, corrections });
  if (usage.calls > 0) {
    conversation.append({ type: 'usage', turn, ...usage, window: setup.model.window, model: setup.model.name });
  }
  if (outcome.state === 'USER_ESCALATION') {
    const { reason, summary, error } = outcome.diagnosis;
    if (reason === 'model-failed')
      return { kind: 'trouble', trouble: troubleOf(error, setup.clock.now(), setup.model) };
    return { kind: 'escalation', reason, summary };
  }
  conversation.append({ type: 'envelope', turn, envelope: outcome.envelope });
  if (outcome.envelope.thought.reasoning !== '') face.say(`· ${outcome.envelope.thought.reasoning}`);
  return { kind: 'envelope', envelope: outcome.envelope };
}

/** Writes the intent first; the observation becomes the model's next message. */
async function act(tool: string, given: JsonObject, work: Work, signal: AbortSignal): Promise<void> {
  const { conversation, box, face, setup } = work;
  const offered = box.find(tool);
  const input = withPosition(given, offered?.takesPosition === true && offered.server === 'devs', conversation);
  const id = setup.newId();
  conversation.append({ type: 'call', id, tool, input });
  const about = { tool: offered ?? { name: tool, server: '', isReadOnly: false }, input };
  face.say(`→ ${describeCall(about)}`);
  const mayRun = offered === undefined || (await isAllowed(about, work, signal));
  const observed: Observed = mayRun
    ? await box.call(tool, input, signal)
    : { status: 'denied', output: '', errorDetail: 'the user did not allow this call: find another way, or ask' };
  conversation.append({ type: 'answer', id, tool, ...observed });
  face.say(`← ${inShort(observed)}`);
  const node = positionIn(observed);
  if (node === undefined || node === conversation.state.node) return;
  conversation.append({ type: 'node', node });
  work.turns.enterNode();
}

/** With the position that it knows, a call that may have been done before a crash is harmless when it is done again. */
function withPosition(input: JsonObject, takesPosition: boolean, { state }: Conversation): JsonObject {
  if (!takesPosition || input.position !== undefined || state.node === undefined) return input;
  return { ...input, position: state.node };
}

function positionIn({ status, output }: Observed): string | undefined {
  if (status !== 'ok' || typeof output !== 'object' || output === null || !('position' in output)) return undefined;
  return typeof output.position === 'string' ? output.position : undefined;
}

async function isAllowed(
  call: Parameters<typeof decidePermission>[0],
  work: Work,
  signal: AbortSignal,
): Promise<boolean> {
  const decided = decidePermission(call, work.permissions);
  if (decided !== 'ask') return decided === 'allowed';
  const question = `Allow ${describeCall(call)}?`;
  const answer = await work.face.ask(question, signal, () => work.onWaiting(question));
  work.onBusy();
  if (answer === 'always') {
    work.permissions = { ...work.permissions, rules: [...work.permissions.rules, ruleFor(call)] };
  }
  return answer !== 'no';
}

function escalate(reason: string, summary: string, { conversation, face }: Work): WorkEnd {
  conversation.append({ type: 'escalation', turn: conversation.state.turn, reason, summary });
  face.say(`${summary}\nSay what to do next.`);
  return { kind: 'failed', error: summary };
}

/** The agent is idle then: a limit passes, so may a broken network, and another key may be accepted. */
function giveUp(trouble: Exclude<ModelTrouble, { kind: 'overflow' }>, { conversation, face }: Work): WorkEnd {
  const { kind, detail } = trouble;
  if (kind === 'refused') {
    conversation.append({
      type: 'escalation',
      turn: conversation.state.turn,
      reason: 'model-refused',
      summary: detail,
    });
    face.say(detail);
    return { kind: 'failed', error: detail };
  }
  const until = trouble.kind === 'usage-limit' && trouble.until !== undefined ? { until: trouble.until } : {};
  conversation.append({ type: 'limit', kind, detail: detail.slice(0, 500), ...until });
  face.say(`The model does not answer: ${detail}`);
  return { kind: 'failed' };
}

const SHOWN_LINES = 6;

function inShort({ status, output, errorDetail }: Observed): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const lines = [...(errorDetail === undefined ? [] : [errorDetail]), ...text.trimEnd().split('\n')];
  const shown = lines.slice(0, SHOWN_LINES).map((line) => line.slice(0, 200));
  const more = lines.length > SHOWN_LINES ? [`… ${lines.length - SHOWN_LINES} more lines`] : [];
  return [status, ...shown, ...more].filter((line) => line !== '').join('\n');
}
