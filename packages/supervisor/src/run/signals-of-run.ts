import {
  answerLead,
  isRenewing,
  type MissingTools,
  type OpenEscalation,
  questionIn,
  type ReachedBudget,
  type RunSignals,
  stuckBy,
} from '@devs/core';
import { shellWords } from '@devs/drivers';
import type { TerminalStatus } from '../supervised-terminal.js';
import type { KnownRun } from './known-run.js';

export interface RunMoment {
  readonly now: number;
  readonly status: TerminalStatus | undefined;
  readonly budget: ReachedBudget | undefined;
  /** How long the agent is what it is now. */
  readonly standingMs: number;
  /** A context action is being performed. */
  readonly isActing: boolean;
  /** Since when a draft keeps prompts from being typed. */
  readonly draftSince: number | undefined;
  readonly refused: RunSignals['refused'];
  /** The visit whose end the terminal was told of last. */
  readonly toldEnd: number | undefined;
  readonly missingTools: Pick<MissingTools, 'status' | 'error' | 'forMs'> | undefined;
}

/** What was observed of a run, in the words of its policy. */
export function signalsOfRun(run: KnownRun, moment: RunMoment): RunSignals {
  const { watch, record, request } = run;
  const { now, status, budget, standingMs, isActing, draftSince, refused, toldEnd, missingTools } = moment;
  const { state, lastEnded, contextAction, turnEndWanted } = run.workflow();
  const { escalation, keptAnswer, stuck: noticed, toolsMissed: restarts, stepAt } = record.facts;
  const stuck = stuckBy(watch.signs, watch, request.settings.stuck);
  const question = questionIn(watch.signs.lastNote);
  const needs = status?.needs;
  const isRenewed = request.settings.renewal.enabled && status?.leftToAgent === undefined;
  return {
    now,
    workflow: state.status,
    ...(stepAt === undefined ? {} : { stepAt }),
    agent: status?.state?.activity ?? 'none',
    since: now - standingMs,
    isOccupied: status !== undefined && isRenewing({ phase: status.renewal }),
    isParked: status?.parkedUntil !== undefined,
    isActing,
    isAsked: status !== undefined && watch.isAsked(status),
    hasWorked: watch.hasWorked(status?.agentId),
    isAnswerHeard: escalation !== undefined && isHeard(escalation, watch),
    pushes: watch.pushes,
    ...(contextAction === undefined || isActing ? {} : { contextAction: contextAction.action }),
    hasStepEnded: lastEnded !== toldEnd,
    isRenewalDue: isRenewed && status !== undefined && status.mark !== 'low',
    isRenewalNext: isRenewed && status?.isAttended === false && status.renewalDue !== undefined,
    isTurnEndWanted: turnEndWanted === true,
    ...(stuck === undefined ? {} : { stuck }),
    noticed: noticed.length,
    ...(budget === undefined ? {} : { budget }),
    ...(escalation === undefined ? {} : { escalation }),
    ...(keptAnswer === undefined ? {} : { keptAnswer }),
    ...(needs === undefined || needs.kind === 'answer' ? {} : { needs: needs.detail }),
    ...(status?.permission === undefined ? {} : { permission: status.permission }),
    ...(needs?.screen === undefined ? {} : { screen: needs.screen }),
    ...(request.onEscalation === undefined ? {} : { onEscalation: request.onEscalation }),
    ...(refused === undefined ? {} : { refused }),
    ...(draftSince === undefined ? {} : { draftMs: now - draftSince }),
    ...(question === undefined ? {} : { question }),
    ...(missingTools === undefined ? {} : { tools: { ...missingTools, restarts, command: commandOf(run) } }),
  };
}

/** By the agent's own record; also an answer that was typed before and not seen then. */
function isHeard({ answer, unseen, at }: OpenEscalation, watch: KnownRun['watch']): boolean {
  const words = answer ?? unseen?.answer;
  return words !== undefined && watch.hasHeard(answerLead(words), at);
}

/** The terminal's own supervisor is at work, or waits for the provider. */
export const isOccupied = (status: TerminalStatus | undefined): boolean =>
  status !== undefined && (isRenewing({ phase: status.renewal }) || status.parkedUntil !== undefined);

/** What starts the server of the workflow tools by hand. */
function commandOf({ request, folder }: KnownRun): string {
  const { command, args } = request.mcpServer(folder.path);
  return shellWords([command, ...args]);
}
