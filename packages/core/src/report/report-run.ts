import type { StoredEvent } from '../ports/event-log.js';
import { TOLD } from '../run/decide-run.js';
import { foldRun, type RunFacts } from '../run/run-facts.js';
import { describeStatus, type WorkflowStatusResponse } from '../workflow/describe-status.js';
import { createRunFold, type WorkflowRun } from '../workflow/workflow-run.js';
import { reportSteps } from './report-steps.js';
import { reportTerminal } from './report-terminal.js';
import type { ReportEscalation, RunReport } from './run-report.js';

/** The events of one run, and of each terminal that its agents worked in; each in order. */
export interface RunHistory {
  readonly id: string;
  readonly run: readonly StoredEvent[];
  /** By the name of the terminal. */
  readonly terminals: ReadonlyMap<string, readonly StoredEvent[]>;
  /** Where it is now: stored paths may be redacted, or be those of before a move. */
  readonly place?: { readonly folder: string; readonly worktree?: string };
  /** Who holds it at this moment. */
  readonly lookedAfterBy?: string;
}

/** The terminals that a run's stream names. */
export function terminalsOfRun(events: readonly StoredEvent[]): readonly string[] {
  const named = events.flatMap(({ type, data }) => (type === 'run.begun' ? [String(data.terminal)] : []));
  return [...new Set(named)];
}

/** The report of a run from its stored events. Pure: the same events give the same report. */
export function reportRun({ id, run: events, terminals, place, lookedAfterBy }: RunHistory): RunReport {
  const facts = foldRun(id, events);
  const workflow = workflowOf(events);
  const parts = [...terminals].map(([name, own]) => reportTerminal(name, own));
  const { plan, totals, task } = facts;
  const worktree = worktreeOf(facts, place);
  const ended = facts.phase.kind === 'finished' ? events.findLast(({ type }) => type === 'run.finished') : undefined;
  const startedAt = facts.preparedAt ?? events[0]?.at;
  const passed = reportSteps(events);
  return {
    id,
    request: plan?.request ?? workflow?.state.summary ?? '',
    workflow: plan?.workflow ?? workflow?.template.name ?? '',
    agent: plan?.agent ?? '',
    folder: place?.folder ?? plan?.folder ?? '',
    ...(worktree === undefined ? {} : { worktree }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(ended === undefined ? {} : { endedAt: ended.at }),
    outcome: outcomeOf(facts, lookedAfterBy),
    ...(facts.begun === undefined ? {} : { terminal: facts.begun.terminal }),
    ...(task === undefined ? {} : { taskId: task.id }),
    ...passed,
    ...(workflow?.state.status === 'running' ? { position: positionOf(workflow) } : {}),
    tasks: tasksOf(workflow, passed.steps),
    usage: totals,
    renewals: parts.flatMap(({ renewals }) => renewals).sort((a, b) => a.at - b.at),
    reinjections: reinjectionsOf(parts, totals.inputTokens),
    ledgers: {
      count: parts.reduce((sum, { ledgers }) => sum + ledgers.count, 0),
      tokens: parts.reduce((sum, { ledgers }) => sum + ledgers.tokens, 0),
    },
    answers: {
      resumed: parts.reduce((sum, { answers }) => sum + answers.resumed, 0),
      corrected: parts.reduce((sum, { answers }) => sum + answers.corrected, 0),
    },
    crashes: parts.flatMap(({ crashes }) => crashes).sort((a, b) => a.at - b.at),
    parks: parts.flatMap(({ parks }) => parks).sort((a, b) => a.at - b.at),
    escalations: escalationsOf(events),
    commits: facts.commits,
    left: facts.left ?? [],
    checks: facts.checks,
    ...(facts.merged === undefined ? {} : { merged: facts.merged }),
    howToMerge: howToMerge(facts, worktree),
  };
}

function outcomeOf({ phase, escalation }: RunFacts, lookedAfterBy: string | undefined): RunReport['outcome'] {
  if (phase.kind === 'finished') return { kind: phase.outcome, detail: phase.detail };
  if (escalation !== undefined && escalation.answer === undefined)
    return { kind: 'escalated', detail: escalation.question };
  if (lookedAfterBy !== undefined) return { kind: 'running', detail: `supervised by ${lookedAfterBy}` };
  if (phase.kind === 'paused') return { kind: 'paused', detail: phase.why };
  return { kind: 'open', detail: 'it is not supervised' };
}

/** Without its path where it is gone. */
function worktreeOf({ worktree, plan }: RunFacts, place: RunHistory['place']): RunReport['worktree'] {
  if (worktree === undefined || place === undefined) return worktree;
  const { path: _, ...rest } = worktree;
  const path = plan?.place === 'own' ? place.worktree : place.folder;
  return { ...rest, ...(path === undefined ? {} : { path }) };
}

/** A foreign history still has a report, without a workflow position. */
function workflowOf(events: readonly StoredEvent[]): WorkflowRun | undefined {
  try {
    return createRunFold().add(events);
  } catch {
    return undefined;
  }
}

const positionOf = ({ template, state }: WorkflowRun): string => describePosition(describeStatus(template, state));

/** `implement › fix-login › code (task 2 of 5)` */
export function describePosition({ step, task, subStep, ralphIteration, progress }: WorkflowStatusResponse): string {
  const parts = [step, task?.id, subStep].filter((part) => part !== undefined);
  const where =
    task !== undefined && progress.task !== undefined
      ? ` (task ${progress.task} of ${progress.tasks})`
      : ralphIteration !== undefined
        ? ` (${ralphIteration} of ${progress.iterations ?? ralphIteration})`
        : ` (step ${progress.step} of ${progress.steps})`;
  return `${parts.join(' › ')}${where}`;
}

/** A step of a task is called `implement.fix-login.code`. */
const tasksOf = (workflow: WorkflowRun | undefined, steps: RunReport['steps']): RunReport['tasks'] =>
  Object.entries(workflow?.state.tasks ?? {}).flatMap(([loop, tasks]) =>
    tasks.map(({ id, title, status }) => ({ id, title, status, ...costOf(steps, `${loop}.${id}.`) })),
  );

function costOf(steps: RunReport['steps'], beginning: string): { readonly costUsd?: number } {
  const known = steps.filter(({ at }) => at.startsWith(beginning)).flatMap(({ costUsd }) => costUsd ?? []);
  return known.length === 0 ? {} : { costUsd: known.reduce((sum, usd) => sum + usd, 0) };
}

function reinjectionsOf(parts: readonly Pick<RunReport, 'reinjections'>[], inputTokens: number) {
  const count = parts.reduce((sum, { reinjections }) => sum + reinjections.count, 0);
  const tokens = parts.reduce((sum, { reinjections }) => sum + reinjections.tokens, 0);
  return { count, tokens, ...(inputTokens > 0 ? { share: tokens / inputTokens } : {}) };
}

const unfated = ({ fate: _, ...rest }: ReportEscalation): ReportEscalation => rest;

function escalationsOf(events: readonly StoredEvent[]): readonly ReportEscalation[] {
  const found = new Map<string, ReportEscalation>();
  for (const { type, data, at } of events) {
    const id = String(data.escalationId);
    const known = found.get(id);
    if (type === 'escalation.raised' && known === undefined)
      found.set(id, { id, at, question: String(data.question), diagnosis: String(data.diagnosis) });
    if (type === 'escalation.answered' && known !== undefined)
      found.set(id, { ...unfated(known), answer: String(data.answer), answeredAt: at });
    if (type === 'escalation.unanswered' && known !== undefined)
      found.set(id, {
        ...known,
        fate: { kind: data.isTyped === true ? 'typed' : 'not-typed', why: String(data.why) },
      });
    if (type === 'escalation.settled' && known !== undefined)
      found.set(id, {
        ...known,
        settled: String(data.how),
        ...(data.how === TOLD ? { fate: { kind: 'seen' } as const } : {}),
      });
  }
  return [...found.values()];
}

/**
 * The commands to merge the work, run in the project's folder; as argument lists. Empty if it is already merged or in
 * place. git identifies a work tree by the last part of its path: the stored path may be redacted.
 */
function howToMerge(
  { id, plan, merged, commits }: RunFacts,
  worktree: RunReport['worktree'],
): readonly (readonly string[])[] {
  const { branch, path } = worktree ?? {};
  if (branch === undefined || merged !== undefined || plan?.place === 'here') return [];
  if (commits.length === 0) return path === undefined ? [] : [['git', '-C', path, 'status']];
  return [['git', 'merge', branch], ...(path === undefined ? [] : [['git', 'worktree', 'remove', id]])];
}
