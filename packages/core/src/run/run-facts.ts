import type { StoredEvent } from '../ports/event-log.js';
import { runStream } from '../workflow/workflow-run.js';
import type { LeftWork, RunEvent, RunOutcome, RunPlan, StuckKind } from './run-event.js';

/** Record of a run besides its workflow: enough for a successor to continue. */
export interface RunFacts {
  readonly id: string;
  readonly plan?: RunPlan;
  readonly preparedAt?: number;
  /** When the step that it is in began: the last one ended then. */
  readonly stepAt?: number;
  readonly worktree?: { readonly path: string; readonly branch?: string; readonly base?: string };
  readonly phase: RunPhase;
  /** The last supervisor, and the terminal that its agent works in. */
  readonly begun?: { readonly by: string; readonly terminal: string; readonly clone?: string };
  /** The last commit of its work that was recorded. */
  readonly head?: string;
  readonly escalation?: OpenEscalation;
  /** Of the queue, as it was claimed last. */
  readonly task?: { readonly id: string; readonly fence: number };
  /** How often it was noticed since the last progress: a step, or an answer of the user's. */
  readonly stuck: readonly { readonly kind: StuckKind; readonly detail: string }[];
  /** How often its agent was restarted because it had no workflow tools, since the last progress. */
  readonly toolsMissed: number;
  readonly totals: RunTotals;
  /** Up to where the usage of each conversation is counted. */
  readonly counted: Readonly<Record<string, string>>;
  readonly commits: readonly { readonly hash: string; readonly subject: string }[];
  /** Work that is not on its branch; missing if unknown. */
  readonly left?: readonly LeftWork[];
  /** Since the workflow ended. */
  readonly checks: readonly RanCheck[];
  readonly merged?: { readonly into: string; readonly commit: string };
  readonly lastEventAt?: number;
}

export type RunPhase =
  | { readonly kind: 'prepared' }
  | { readonly kind: 'begun' }
  | { readonly kind: 'paused'; readonly why: string }
  | { readonly kind: 'finished'; readonly outcome: RunOutcome; readonly detail: string };

export interface OpenEscalation {
  readonly id: string;
  readonly question: string;
  readonly diagnosis: string;
  readonly at: number;
  /** The user's words, while they are on their way to the agent. */
  readonly answer?: string;
  readonly answeredAt?: number;
  /** The user's last words, where the agent's own record does not show them. */
  readonly unseen?: UnseenAnswer;
}

export interface UnseenAnswer {
  readonly answer: string;
  readonly isTyped: boolean;
  readonly why: string;
}

export interface RanCheck {
  readonly command: readonly string[];
  readonly exitCode: number;
  readonly tail: string;
}

export interface RunTotals {
  readonly turns: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number;
  readonly activeMs: number;
}

export const NO_TOTALS: RunTotals = { turns: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, activeMs: 0 };

export const noRunFacts = (id: string): RunFacts => ({
  id,
  phase: { kind: 'prepared' },
  stuck: [],
  toolsMissed: 0,
  totals: NO_TOTALS,
  counted: {},
  commits: [],
  checks: [],
});

/** State after the events of one run's stream. */
export const foldRun = (id: string, events: readonly StoredEvent[]): RunFacts =>
  events.reduce(addRunFact, noRunFacts(id));

/** Whose stream it is, or `undefined` where it is no run's. */
export const runIdOf = (stream: string): string | undefined =>
  stream.startsWith(runStream('')) ? stream.slice(runStream('').length) : undefined;

/** Pure: the state after one more event of the run's stream. Workflow events count as progress. */
export function addRunFact(before: RunFacts, stored: StoredEvent): RunFacts {
  const facts = { ...before, lastEventAt: stored.at };
  const event = { ...stored.data, type: stored.type } as unknown as RunEvent | StepEnd;
  switch (event.type) {
    case 'run.prepared': {
      const { type: _, ...plan } = event;
      const task = plan.task === undefined ? {} : { task: plan.task };
      return { ...facts, plan, preparedAt: stored.at, stepAt: stored.at, ...task };
    }
    case 'worktree.made': {
      const { type: _, ...worktree } = event;
      return { ...facts, worktree, ...headOf(worktree.base) };
    }
    case 'run.begun': {
      const { type: _, ...begun } = event;
      return { ...facts, phase: { kind: 'begun' }, begun };
    }
    case 'head.observed':
      return { ...facts, head: event.commit };
    case 'run.paused':
      return { ...facts, phase: { kind: 'paused', why: event.why } };
    case 'task.held':
      return { ...facts, task: { id: event.taskId, fence: event.fence } };
    case 'stuck.noticed':
      return { ...facts, stuck: [...facts.stuck, { kind: event.kind, detail: event.detail }].slice(-MOST_STUCK) };
    case 'tools.missed':
      return { ...facts, toolsMissed: facts.toolsMissed + 1 };
    case 'step.completed':
    case 'step.failed':
      return { ...facts, stuck: [], toolsMissed: 0, checks: [], stepAt: stored.at };
    case 'escalation.raised': {
      const { escalationId: id, question, diagnosis } = event;
      return { ...facts, escalation: { id, question, diagnosis, at: stored.at } };
    }
    case 'escalation.answered':
      return facts.escalation?.id === event.escalationId
        ? { ...facts, escalation: { ...asked(facts.escalation), answer: event.answer, answeredAt: stored.at } }
        : facts;
    case 'escalation.unanswered':
      return facts.escalation?.id === event.escalationId
        ? { ...facts, escalation: { ...asked(facts.escalation), unseen: unseenAnswer(facts.escalation, event) } }
        : facts;
    case 'escalation.settled':
      return facts.escalation?.id === event.escalationId
        ? { ...withoutEscalation(facts), stuck: [], toolsMissed: 0 }
        : facts;
    case 'usage.counted':
      return {
        ...facts,
        totals: addTotals(facts.totals, event),
        ...(event.conversationId === undefined || event.upTo === undefined
          ? {}
          : { counted: { ...facts.counted, [event.conversationId]: event.upTo } }),
      };
    case 'commits.observed':
      return {
        ...facts,
        commits: event.commits,
        ...headOf(event.commits[0]?.hash),
        ...(event.left === undefined ? {} : { left: event.left }),
      };
    case 'check.ran': {
      const { command, exitCode, tail } = event;
      return { ...facts, checks: [...facts.checks, { command, exitCode, tail }].slice(-MOST_CHECKS) };
    }
    case 'run.finished':
      return {
        ...withoutEscalation(facts),
        phase: { kind: 'finished', outcome: event.outcome, detail: event.detail },
      };
    case 'run.merged':
      return { ...facts, merged: { into: event.into, commit: event.commit } };
    case 'budget.reached':
      return facts;
    default:
      return facts;
  }
}

/** Of the workflow, in the same stream. */
type StepEnd = { readonly type: 'step.completed' | 'step.failed' };

const MOST_STUCK = 10;
const MOST_CHECKS = 50;

const headOf = (head: string | undefined) => (head === undefined ? {} : { head });

/** The question alone. */
const asked = ({ id, question, diagnosis, at }: OpenEscalation): OpenEscalation => ({ id, question, diagnosis, at });

const unseenAnswer = (
  { answer = '' }: OpenEscalation,
  { isTyped, why }: Omit<UnseenAnswer, 'answer'>,
): UnseenAnswer => ({
  answer,
  isTyped,
  why,
});

function withoutEscalation(facts: RunFacts): RunFacts {
  const { escalation: _, ...rest } = facts;
  return rest;
}

export type Spent = Omit<RunTotals, 'activeMs'> & { readonly activeMs?: number };

/** The cost is known as soon as a part is: parts without a cost add nothing. */
export const addTotals = (totals: RunTotals, spent: Spent): RunTotals => ({
  turns: totals.turns + spent.turns,
  inputTokens: totals.inputTokens + spent.inputTokens,
  cachedTokens: totals.cachedTokens + spent.cachedTokens,
  outputTokens: totals.outputTokens + spent.outputTokens,
  activeMs: totals.activeMs + (spent.activeMs ?? 0),
  ...(totals.costUsd === undefined && spent.costUsd === undefined
    ? {}
    : { costUsd: (totals.costUsd ?? 0) + (spent.costUsd ?? 0) }),
});
