import { setTimeout as pause } from 'node:timers/promises';
import {
  answerPrompt,
  type ContextActionEvent,
  contextActionEvent,
  describeStatus,
  goOnPrompt,
  isRenewing,
  type RunPrompt,
  type StepContextAction,
  type TypingOutcome,
} from '@devs/core';
import type { ContextActionOutcome } from '../act/context-action.js';
import type { SupervisedTerminal } from '../supervised-terminal.js';
import type { KnownRun } from './known-run.js';
import { knownFor, openingFor } from './opening-for.js';

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
  const { terminal, clock } = run;
  let isActing = false;
  let draftSince: number | undefined;
  let refused: (NonNullable<AgentTalk['refused']> & { readonly nextTryAt: number }) | undefined;
  /** What was done about the context before the next prompt. */
  let acted: StepContextAction | undefined;

  const refuse = (reason: string) => {
    run.tell(`a prompt was not typed: ${reason}`);
    const times = (refused?.times ?? 0) + 1;
    refused = { times, reason, nextTryAt: clock.now() + run.timing.idleMs * 2 ** Math.min(times, MAX_DOUBLINGS) };
  };
  const send: AgentTalk['send'] = async (prompt, isWanted) => {
    const isAnswer = prompt === 'answer'; // each is tried once, and its user is told
    if (terminal === undefined || (!isAnswer && clock.now() < (refused?.nextTryAt ?? 0))) return undefined;
    const listens = listensAsNow(terminal, isAnswer);
    const isStill = async () => listens() && ((await isWanted?.()) ?? true);
    const outcome = await terminal.send(await textFor(run, prompt, acted), { if: isStill });
    draftSince = outcome.kind === 'refused' && outcome.reason === 'draft' ? (draftSince ?? clock.now()) : undefined;
    if (outcome.kind === 'refused') {
      if (!isAnswer && outcome.reason !== 'busy') refuse(outcome.reason);
    } else {
      refused = undefined;
      if (prompt === 'go-on' && acted === undefined) run.watch.pushed();
      acted = undefined;
    }
    return outcome;
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
    },
    send,
    async act(action) {
      isActing = true;
      try {
        const outcome = await performAction(run, action, isOver);
        if (outcome === undefined) return;
        acted = action;
        await untilReady(run, isOver);
        // At once: an agent has nothing else to do after a context action. A cleared agent gets everything again.
        await send(action === 'clear' && outcome.kind === 'acknowledged' ? 'opening' : 'go-on');
      } finally {
        isActing = false;
        onActed();
      }
    },
  };
}

async function textFor(run: KnownRun, prompt: RunPrompt, acted: StepContextAction | undefined): Promise<string> {
  const { facts } = run.record;
  const { template, state } = run.workflow();
  if (prompt === 'opening') return openingFor(run.request.store, facts, run.workflow());
  const known = await knownFor(run.request.store, facts);
  if (prompt === 'answer') return answerPrompt(facts.escalation?.answer ?? '', known);
  const stuck = facts.stuck.at(-1)?.detail;
  const reason = {
    pushes: run.watch.pushes,
    ...(acted === undefined ? {} : { contextAction: acted }),
    ...(stuck === undefined ? {} : { stuck }),
  };
  return goOnPrompt(describeStatus(template, state), reason, known);
}

/** Whether the agent of this moment still listens when its turn has come. A waiting one only takes an answer. */
function listensAsNow(terminal: SupervisedTerminal, isAnswer: boolean): () => boolean {
  const { agentId } = terminal.status();
  return () => {
    const { state, agentId: now, renewal } = terminal.status();
    const listens = state?.activity === 'idle' || (isAnswer && state?.activity === 'waiting');
    return listens && now === agentId && !isRenewing({ phase: renewal });
  };
}

/** `undefined` where the run was over before its end could be stored: the successor does it. */
async function performAction(
  run: KnownRun,
  action: StepContextAction,
  isOver: () => boolean,
): Promise<ContextActionOutcome | undefined> {
  const { visit } = run.workflow().state;
  const store = (isFor: (phase: string) => boolean, event: ContextActionEvent) =>
    run.record.decide(() => {
      const { state, contextAction } = run.workflow();
      const isHere = state.visit === visit && contextAction !== undefined && isFor(contextAction.phase);
      return isHere ? [contextActionEvent(visit, event)] : [];
    });
  const performed = { type: 'context-action.performed', attempt: 1, how: 'command' } as const;
  await store((phase) => phase === 'requested', performed);
  const outcome = (await run.terminal?.contextAction(action)) ?? { kind: 'abandoned', reason: 'no agent runs' };
  if (isOver()) return undefined;
  await store(() => true, endOf(action, outcome));
  return outcome;
}

/** A newly started process is not at its prompt yet. The next look handles an undelivered prompt. */
async function untilReady({ clock, timing, terminal }: KnownRun, isOver: () => boolean): Promise<void> {
  const deadline = clock.now() + timing.unaskedMs;
  const isStarting = () => terminal?.status().state?.activity === 'starting';
  while (isStarting() && !isOver() && clock.now() < deadline) await pause(READY_POLL_MS);
}

const READY_POLL_MS = 50;
/** What is refused is tried again after 2, 4, 8 … times the patience with an idle agent, and no later than this. */
const MAX_DOUBLINGS = 5;

const endOf = (action: StepContextAction, outcome: ContextActionOutcome): ContextActionEvent =>
  outcome.kind === 'acknowledged'
    ? { type: 'context-action.observed', evidence: `/${action} by ${outcome.how}, attempt ${outcome.attempts}` }
    : { type: 'context-action.abandoned', reason: outcome.reason };
