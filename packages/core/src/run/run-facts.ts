import { defineStream } from '../event-log/define-stream.js';
import type { PermissionSubject } from '../ports/agent-channel.js';
import type { StoredEvent } from '../ports/event-log.js';
import { runStream } from '../workflow/workflow-run.js';
import type { LeftWork, PushedWork, RunEvent, RunHolder, RunOutcome, RunPlan, StuckKind } from './run-event.js';

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
  readonly begun?: {
    readonly by: string;
    readonly terminal: string;
    readonly clone?: string;
    readonly machine?: string;
  };
  /** Who had its lease last, on a store that several machines share. */
  readonly held?: RunHolder;
  /** The last of its work that other machines can have. */
  readonly pushed?: PushedWork & { readonly at: number };
  /** The remote has nothing of it any more. */
  readonly isDropped?: true;
  /** The last commit of its work that was recorded. */
  readonly head?: string;
  readonly escalation?: OpenEscalation;
  /** The user's answer to a permission whose agent was gone by then. */
  readonly keptAnswer?: KeptAnswer;
  /** Of the queue, as it was claimed last. */
  readonly task?: { readonly id: string; readonly fence: number };
  /** How often it was noticed since the last progress: a step, or an answer of the user's. */
  readonly stuck: readonly { readonly kind: StuckKind; readonly detail: string }[];
  /** How often its agent was restarted because it had no workflow tools, since the last progress. */
  readonly toolsMissed: number;
  readonly totals: RunTotals;
  /** Up to where the usage of each conversation is counted. */
  readonly counted: Readonly<Record<string, string>>;
  /** What was counted of the cost of each agent process, in US dollars. */
  readonly countedUsd: Readonly<Record<string, number>>;
  readonly commits: readonly { readonly hash: string; readonly subject: string }[];
  /** Work that is not on its branch; missing if unknown. */
  readonly left?: readonly LeftWork[];
  /** Since the workflow ended. */
  readonly checks: readonly RanCheck[];
  readonly merged?: { readonly into: string; readonly commit: string };
  readonly lastEventAt?: number;
  /** The file that has its events, which the store has no more. */
  readonly archived?: string;
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
  readonly permission?: PermissionSubject;
  readonly at: number;
  /** The user's words, while they are on their way to the agent. */
  readonly answer?: string;
  readonly answeredAt?: number;
  /** The user's last words, where the agent's own record does not show them. */
  readonly unseen?: UnseenAnswer;
}

export interface KeptAnswer {
  readonly permission: PermissionSubject;
  readonly answer: string;
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
  countedUsd: {},
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
export const addRunFact = (before: RunFacts, stored: StoredEvent): RunFacts =>
  RUN_STREAM.add({ ...before, lastEventAt: stored.at }, stored);

const stepEnded = ({ keptAnswer: _, ...facts }: RunFacts, __: unknown, { at }: StoredEvent): RunFacts => ({
  ...facts,
  stuck: [],
  toolsMissed: 0,
  checks: [],
  stepAt: at,
});

/** Changes the question that the event is about, where it is open. */
const ofQuestion = (facts: RunFacts, id: string, change: (open: OpenEscalation) => RunFacts): RunFacts =>
  facts.escalation?.id === id ? change(facts.escalation) : facts;

const RUN_STREAM = defineStream<RunFacts, RunEvent | StepEnd>({
  'run.prepared'(facts, { type: _, ...plan }, { at }) {
    const task = plan.task === undefined ? {} : { task: plan.task };
    return { ...facts, plan, preparedAt: at, stepAt: at, ...task };
  },
  'worktree.made': (facts, { type: _, ...worktree }) => ({ ...facts, worktree, ...headOf(worktree.base) }),
  'run.begun': (facts, { type: _, ...begun }) => ({ ...facts, phase: { kind: 'begun' }, begun }),
  'head.observed': (facts, { commit }) => ({ ...facts, head: commit }),
  'run.held': (facts, { type: _, ...held }) => ({ ...facts, held }),
  // A holder that lost its lease is late: its successor may have replaced what it pushed.
  'work.pushed': (facts, { type: _, ...pushed }, { at }) =>
    pushed.fence < (facts.held?.fence ?? 0) ? facts : { ...facts, pushed: { ...pushed, at } },
  'run.rewound'({ left: _, ...facts }, { commit }, { at }) {
    return { ...facts, head: commit, commits: [], checks: [], stuck: [], toolsMissed: 0, stepAt: at };
  },
  'work.dropped': (facts) => ({ ...facts, isDropped: true }),
  'run.paused': (facts, { why }) => ({ ...facts, phase: { kind: 'paused', why } }),
  'task.held': (facts, { taskId: id, fence }) => ({ ...facts, task: { id, fence } }),
  'stuck.noticed': (facts, { kind, detail }) => ({
    ...facts,
    stuck: [...facts.stuck, { kind, detail }].slice(-MAX_STUCK),
  }),
  'tools.missed': (facts) => ({ ...facts, toolsMissed: facts.toolsMissed + 1 }),
  'step.completed': stepEnded,
  'step.failed': stepEnded,
  'escalation.raised': (
    { keptAnswer: _, ...facts },
    { escalationId: id, question, diagnosis, permission },
    { at },
  ) => ({
    ...facts,
    escalation: { id, question, diagnosis, at, ...(permission === undefined ? {} : { permission }) },
  }),
  'escalation.answered': (facts, { escalationId, answer }, { at }) =>
    ofQuestion(facts, escalationId, (open) => ({
      ...facts,
      escalation: { ...asked(open), answer, answeredAt: at },
    })),
  'escalation.unanswered': (facts, event) =>
    ofQuestion(facts, event.escalationId, (open) => ({
      ...facts,
      escalation: { ...asked(open), unseen: unseenAnswer(open, event) },
    })),
  'escalation.settled': (facts, { escalationId, isKept }) =>
    ofQuestion(facts, escalationId, ({ permission, answer }) => ({
      ...withoutEscalation(facts),
      stuck: [],
      toolsMissed: 0,
      ...(isKept !== true || permission === undefined || answer === undefined
        ? {}
        : { keptAnswer: { permission, answer } }),
    })),
  'usage.counted': (facts, event) => ({
    ...facts,
    totals: addTotals(facts.totals, event),
    ...(event.conversationId === undefined || event.upTo === undefined
      ? {}
      : { counted: { ...facts.counted, [event.conversationId]: event.upTo } }),
    ...(event.processes === undefined ? {} : { countedUsd: { ...facts.countedUsd, ...event.processes } }),
  }),
  'commits.observed': (facts, { commits, left }) => ({
    ...facts,
    commits,
    ...headOf(commits[0]?.hash),
    ...(left === undefined ? {} : { left }),
  }),
  'check.ran': (facts, { command, exitCode, tail }) => ({
    ...facts,
    checks: [...facts.checks, { command, exitCode, tail }].slice(-MAX_CHECKS),
  }),
  'run.finished': (facts, { outcome, detail }) => ({
    ...withoutEscalation(facts),
    phase: { kind: 'finished', outcome, detail },
  }),
  'run.merged': (facts, { into, commit }) => ({ ...facts, merged: { into, commit } }),
});

/** Of the workflow, in the same stream. */
type StepEnd = { readonly type: 'step.completed' | 'step.failed' };

const MAX_STUCK = 10;
const MAX_CHECKS = 50;

const headOf = (head: string | undefined) => (head === undefined ? {} : { head });

/** The question alone. */
const asked = ({ answer: _, answeredAt: __, unseen: ___, ...question }: OpenEscalation): OpenEscalation => question;

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
