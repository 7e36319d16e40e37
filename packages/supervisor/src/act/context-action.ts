import {
  type ContextActionProgress,
  decideContextAction,
  isAcknowledged,
  readInput,
  type StepContextAction,
} from '@devs/core';
import { waitUntil } from '../follow/wait-until.js';
import type { Supervision } from '../supervision.js';
import { restartAgent } from './restart-agent.js';
import { typePrompt } from './type-prompt.js';

export type ContextActionOutcome =
  | { readonly kind: 'acknowledged'; readonly attempts: number; readonly how: 'command' | 'new-process' }
  | { readonly kind: 'abandoned'; readonly reason: string };

/**
 * Has the agent compact or clear its conversation, and sees it in the agent's own records. By its command, once more, and
 * where a conversation without history is wanted, by a new process at last.
 */
export async function performContextAction(
  supervision: Supervision,
  action: StepContextAction,
): Promise<ContextActionOutcome> {
  const { record, clock, timing, driver } = supervision;
  const left = record.facts.contextAction;
  let progress: ContextActionProgress =
    left?.action === action
      ? { phase: 'performed', action, attempt: left.attempt, since: left.at }
      : { phase: 'requested', action, since: clock.now() };
  const settle = async (outcome: ContextActionOutcome) => {
    const text = outcome.kind === 'acknowledged' ? `acknowledged by ${outcome.how}` : outcome.reason;
    await record.append({ type: 'context-action.settled', action, outcome: text });
    return outcome;
  };
  if (driver.commands[action] === undefined && action === 'compact')
    return settle({ kind: 'abandoned', reason: `${driver.agent} has no command for compact` });

  if (left?.action === action && isLeftTyped(supervision, action)) {
    await typeCommand(supervision, action);
    progress = { phase: 'performed', action, attempt: left.attempt, since: clock.now() };
  }
  for (;;) {
    const decision = decideContextAction(progress, clock.now(), { deadlineMs: timing.actionMs });
    if (decision.do === 'abandon') return settle({ kind: 'abandoned', reason: decision.reason });
    if (decision.do === 'perform') {
      const { attempt } = decision;
      const how = driver.commands[action] === undefined ? 'new-process' : decision.how;
      const at = clock.now();
      await record.append({ type: 'context-action.performed', action, attempt, at });
      progress = { phase: 'performed', action, attempt, since: at };
      if (how === 'new-process') {
        const id = supervision.newId();
        const started = await restartAgent(supervision, { conversation: { kind: 'fresh', id }, why: 'clear' });
        if (started.kind === 'started') return settle({ kind: 'acknowledged', attempts: attempt, how });
        return settle({ kind: 'abandoned', reason: started.error });
      }
      const refused = await typeCommand(supervision, action);
      if (refused !== undefined) return settle({ kind: 'abandoned', reason: refused });
    }
    if (await isSeen(supervision, action, progress)) {
      const attempts = progress.phase === 'performed' ? progress.attempt : 1;
      return settle({ kind: 'acknowledged', attempts, how: 'command' });
    }
  }
}

/** Typed by whoever died before Enter: it stands in the input. */
function isLeftTyped({ seat, driver }: Supervision, action: StepContextAction): boolean {
  const view = seat.agent?.view();
  const command = driver.commands[action];
  if (view === undefined || view === 'exited' || command === undefined) return false;
  return readInput(view, command, driver.input).draft === 'ours';
}

/** Why it could not be typed at all. */
async function typeCommand(supervision: Supervision, action: StepContextAction): Promise<string | undefined> {
  const { seat, driver, typing, patience } = supervision;
  const { agent } = seat;
  if (agent === undefined) return 'no agent runs';
  if (supervision.isAttended()) return 'the user is here';
  const outcome = await typePrompt({
    agent,
    driver,
    text: driver.commands[action] ?? '',
    keepsRecords: true,
    proves: (event) => isAcknowledged(action, event),
    policy: typing,
    signal: patience.signal,
  });
  return outcome.kind === 'refused' ? `the command was not typed: ${outcome.reason}` : undefined;
}

/** By what happened since it was typed, also where a supervisor before this one typed it. */
function isSeen({ seat, timing, patience }: Supervision, action: StepContextAction, progress: ContextActionProgress) {
  const isProof = () =>
    seat.agent
      ?.since(0)
      .some(
        (event) => event.at >= progress.since && isAcknowledged(action, { ...event, isPast: false } as typeof event),
      ) ?? false;
  const isOver = () => isProof() || seat.agent === undefined || seat.agent.view() === 'exited';
  return waitUntil(isOver, progress.since + timing.actionMs, patience).then(isProof);
}
