import { setTimeout as pause } from 'node:timers/promises';
import {
  type AgentDriver,
  type ContextActionProgress,
  decideContextAction,
  isAcknowledged,
  readInput,
  type StepContextAction,
} from '@devs/core';
import type { FollowedAgent } from '../follow/follow-agent.js';
import { waitUntil } from '../follow/wait-until.js';
import type { TerminalFacts } from '../record/terminal-facts.js';
import type { Supervision } from '../supervision.js';
import { restartAgent } from './restart-agent.js';
import { typePrompt } from './type-prompt.js';

export type ContextActionOutcome =
  | { readonly kind: 'acknowledged'; readonly attempts: number; readonly how: 'command' | 'new-process' }
  | { readonly kind: 'abandoned'; readonly reason: string };

/**
 * Has the agent compact or clear its conversation, and sees it in the agent's own records. By its command, once more, and
 * where a conversation without history is wanted, by a new process at last; at once where the process itself was told of the past.
 */
export async function performContextAction(
  supervision: Supervision,
  action: StepContextAction,
): Promise<ContextActionOutcome> {
  const { record, clock, timing, driver, agentProcess } = supervision;
  // What stands in the instructions of its process is no part of the conversation: the command would leave it there.
  const needsProcess = action === 'clear' && hasHandoff(supervision);
  const left = needsProcess ? undefined : record.facts.contextAction;
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

  if (left?.action === action) {
    // The requester died before they saw it: completed actions of the agent are not repeated.
    await agentProcess.agent?.look();
    if (isInRecords(supervision, left)) return settle({ kind: 'acknowledged', attempts: left.attempt, how: 'command' });
    if (isLeftTyped(supervision, action)) {
      await typeCommand(supervision, action);
      progress = { phase: 'performed', action, attempt: left.attempt, since: clock.now() };
    }
  }
  for (;;) {
    const decision = decideContextAction(progress, clock.now(), { deadlineMs: timing.actionMs });
    if (decision.do === 'abandon') return settle({ kind: 'abandoned', reason: decision.reason });
    if (decision.do === 'perform') {
      const { attempt } = decision;
      const how = needsProcess || driver.commands[action] === undefined ? 'new-process' : decision.how;
      const at = clock.now();
      const { conversationId } = agentProcess.agent?.seen ?? {};
      const where = conversationId === undefined ? {} : { conversationId };
      await record.append({ type: 'context-action.performed', action, attempt, at, ...where });
      progress = { phase: 'performed', action, attempt, since: at };
      if (how === 'new-process') {
        if (supervision.isAttended()) return settle({ kind: 'abandoned', reason: 'the user is here' });
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
    // The next look decides about a dead agent.
    if (isGone(agentProcess.agent)) return settle({ kind: 'abandoned', reason: 'the agent ended meanwhile' });
  }
}

const isGone = (agent: FollowedAgent | undefined): boolean => agent === undefined || agent.view() === 'exited';

/** It was started with a handoff, and can be started without. */
function hasHandoff({ record, hasAllArguments }: Supervision): boolean {
  const { agent, launch } = record.facts;
  return agent?.document !== undefined && (hasAllArguments || launch?.hidden !== true);
}

/** Typed by a supervisor that died before Enter: it is still in the input. */
function isLeftTyped({ agentProcess, driver }: Supervision, action: StepContextAction): boolean {
  const view = agentProcess.agent?.view();
  const command = driver.commands[action];
  if (view === undefined || view === 'exited' || command === undefined) return false;
  return readInput(view, command, driver.input).draft === 'ours';
}

/**
 * Types it when the agent's display says too that it does nothing: its records say so first, and a CLI that still draws the end of
 * a turn refuses commands. Where it was refused nevertheless it is typed again. Tells why it could not be typed at all.
 */
async function typeCommand(supervision: Supervision, action: StepContextAction): Promise<string | undefined> {
  const { agentProcess, driver, typing, patience, clock, timing } = supervision;
  const { agent } = agentProcess;
  const deadline = clock.now() + timing.actionMs;
  for (;;) {
    await waitUntil(() => isCalm(agent), Math.min(deadline, clock.now() + CALM_MS), patience);
    if (agent === undefined) return 'no agent runs';
    if (supervision.isAttended()) return 'the user is here';
    const before = refusalsIn(agent, driver);
    const isRefused = () => refusalsIn(agent, driver) > before;
    const outcome = await typePrompt({
      agent,
      driver,
      text: driver.commands[action] ?? '',
      keepsRecords: true,
      proves: (event) => isAcknowledged(action, event),
      command: action,
      isRefused,
      policy: typing,
      signal: patience.signal,
    });
    const isTooEarly = isRefused() || (outcome.kind === 'refused' && outcome.reason === 'busy');
    if (isTooEarly && outcome.kind !== 'delivered' && clock.now() < deadline) {
      await pause(AGAIN_MS, undefined, { signal: patience.signal });
      continue;
    }
    return outcome.kind === 'refused' ? `the command was not typed: ${outcome.reason}` : undefined;
  }
}

/** How long a display may show a working agent against its records: some are never redrawn. */
const CALM_MS = 10_000;
const AGAIN_MS = 500;

function isCalm(agent: FollowedAgent | undefined): boolean {
  const { title, screen } = agent?.seen.state.signals ?? {};
  return title?.says !== 'busy' && screen?.says !== 'busy';
}

function refusalsIn(agent: FollowedAgent, { refusal }: AgentDriver): number {
  const view = agent.view();
  if (refusal === undefined || view === 'exited') return 0;
  return view.lines.filter((line) => refusal.test(line)).length;
}

/** By what happened since it was typed, also where a supervisor before this one typed it. */
function isSeen(supervision: Supervision, action: StepContextAction, { since }: ContextActionProgress) {
  const { agentProcess, timing, patience } = supervision;
  const isProof = () => isSeenSince(supervision, action, since);
  return waitUntil(() => isProof() || isGone(agentProcess.agent), since + timing.actionMs, patience).then(isProof);
}

const isSeenSince = ({ agentProcess }: Supervision, action: StepContextAction, since: number): boolean =>
  agentProcess.agent
    ?.since(0)
    .some((event) => event.at >= since && isAcknowledged(action, { ...event, isPast: false } as typeof event)) ?? false;

type Performed = NonNullable<TerminalFacts['contextAction']>;

/** A new follower sees no change of the conversation, only that it is a different one. */
function isInRecords(supervision: Supervision, { action, at, conversationId: before }: Performed): boolean {
  if (isSeenSince(supervision, action, at)) return true;
  const { conversationId } = supervision.agentProcess.agent?.seen ?? {};
  return action === 'clear' && before !== undefined && conversationId !== undefined && conversationId !== before;
}
