import { setTimeout as pause } from 'node:timers/promises';
import {
  answerPrompt,
  type ContextActionEvent,
  contextActionEvent,
  describeStatus,
  goOnPrompt,
  type RunPrompt,
  type StepContextAction,
  type TypingOutcome,
} from '@devs/core';
import type { ContextActionOutcome } from '../act/context-action.js';
import type { KnownRun } from './known-run.js';
import { knownFor, openingFor } from './opening-for.js';
import { isAtRest } from './signals-of-run.js';

/** What the supervisor of a run says to its agent, and does to its context. */
export interface AgentTalk {
  /** A context action is being performed. */
  readonly isActing: boolean;
  /** Since when every prompt was refused because of a draft. */
  readonly draftSince: number | undefined;
  /** How often in a row a prompt was not taken, and why the last time. */
  readonly refused: { readonly times: number; readonly reason: string } | undefined;
  /** The agent was seen at work: what it refused before says nothing about the next prompt. */
  sawWork(): void;
  /**
   * What came of it; nothing where it was not tried. Refused where the agent does not listen any more, or `isWanted` says no when
   * its turn has come.
   */
  send(prompt: RunPrompt, isWanted?: () => Promise<boolean>): Promise<TypingOutcome | undefined>;
  /** Begins it; the terminal's own supervisor waits for the agent to be idle. */
  act(action: StepContextAction): Promise<void>;
}

export function createAgentTalk(run: KnownRun, { isOver, onActed }: { isOver(): boolean; onActed(): void }): AgentTalk {
  const { record, watch, terminal } = run;
  let isActing = false;
  let draftSince: number | undefined;
  let refused: AgentTalk['refused'];
  let nextTryAt = 0;
  /** What was done about the context before the next prompt. */
  let acted: StepContextAction | undefined;

  const textFor = async (prompt: RunPrompt): Promise<string> => {
    const { facts } = record;
    const { template, state } = run.workflow();
    if (prompt === 'opening') return openingFor(run.request.store, facts, run.workflow());
    const known = await knownFor(run.request.store, facts);
    if (prompt === 'answer') return answerPrompt(facts.escalation?.answer ?? '', known);
    const stuck = facts.stuck.at(-1)?.detail;
    const reason = {
      pushes: watch.pushes,
      ...(acted === undefined ? {} : { contextAction: acted }),
      ...(stuck === undefined ? {} : { stuck }),
    };
    return goOnPrompt(describeStatus(template, state), reason, known);
  };

  const send: AgentTalk['send'] = async (prompt, isWanted) => {
    const isAnswer = prompt === 'answer'; // each is tried once, and its user is told
    if (terminal === undefined || (!isAnswer && run.clock.now() < nextTryAt)) return undefined;
    const { agentId } = terminal.status();
    const isStill = async () => {
      const { state, agentId: now, renewal } = terminal.status();
      const listens = state?.activity === 'idle' || (isAnswer && state?.activity === 'waiting');
      return listens && now === agentId && isAtRest(renewal) && ((await isWanted?.()) ?? true);
    };
    const outcome = await terminal.send(await textFor(prompt), { if: isStill });
    draftSince = outcome.kind === 'refused' && outcome.reason === 'draft' ? (draftSince ?? run.clock.now()) : undefined;
    if (outcome.kind === 'refused') {
      if (isAnswer || outcome.reason === 'busy') return outcome;
      run.tell(`a prompt was not typed: ${outcome.reason}`);
      refused = { times: (refused?.times ?? 0) + 1, reason: outcome.reason };
      nextTryAt = run.clock.now() + run.timing.idleMs * 2 ** Math.min(refused.times, MOST_DOUBLINGS);
      return outcome;
    }
    refused = undefined;
    if (prompt === 'go-on' && acted === undefined) watch.pushed();
    acted = undefined;
    return outcome;
  };

  const store = (visit: number, isFor: (phase: string) => boolean, event: ContextActionEvent) =>
    record.decide(() => {
      const { state, contextAction } = run.workflow();
      const isHere = state.visit === visit && contextAction !== undefined && isFor(contextAction.phase);
      return isHere ? [contextActionEvent(visit, event)] : [];
    });

  /** A newly started process is not at its prompt yet. The next look handles an undelivered prompt. */
  const untilReady = async () => {
    const deadline = run.clock.now() + run.timing.unaskedMs;
    const isStarting = () => terminal?.status().state?.activity === 'starting';
    while (isStarting() && !isOver() && run.clock.now() < deadline) await pause(READY_POLL_MS);
  };

  const act = async (action: StepContextAction) => {
    isActing = true;
    const { visit } = run.workflow().state;
    try {
      await store(visit, (phase) => phase === 'requested', {
        type: 'context-action.performed',
        attempt: 1,
        how: 'command',
      });
      const outcome = (await terminal?.contextAction(action)) ?? { kind: 'abandoned', reason: 'no agent runs' };
      if (isOver()) return; // the successor does it
      await store(visit, () => true, endOf(action, outcome));
      acted = action;
      await untilReady();
      // At once: an agent has nothing else to do after a context action. A cleared agent gets everything again.
      await send(action === 'clear' && outcome.kind === 'acknowledged' ? 'opening' : 'go-on');
    } finally {
      isActing = false;
      onActed();
    }
  };

  return {
    get isActing() {
      return isActing;
    },
    get draftSince() {
      return draftSince;
    },
    get refused() {
      return refused;
    },
    sawWork() {
      refused = undefined;
      nextTryAt = 0;
    },
    send,
    act,
  };
}

const READY_POLL_MS = 50;
/** What is refused is tried again after 2, 4, 8 … times the patience with an idle agent, and no later than this. */
const MOST_DOUBLINGS = 5;

const endOf = (action: StepContextAction, outcome: ContextActionOutcome): ContextActionEvent =>
  outcome.kind === 'acknowledged'
    ? { type: 'context-action.observed', evidence: `/${action} by ${outcome.how}, attempt ${outcome.attempts}` }
    : { type: 'context-action.abandoned', reason: outcome.reason };
