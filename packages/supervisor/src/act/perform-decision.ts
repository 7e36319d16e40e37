import {
  contextRefreshText,
  estimateTokens,
  LEDGER_LEAD,
  type PressureMark,
  pressureOf,
  type StepContextAction,
  type TerminalDecision,
  type TerminalState,
  type TypingOutcome,
} from '@devs/core';
import { pressConfirmed } from '@devs/terminals';
import type { AgentExitFacts } from '../record/terminal-event.js';
import { writeDocument } from '../renewal/write-document.js';
import type { Supervision } from '../supervision.js';
import type { Summary, TerminalCare } from '../terminal-care.js';
import { performContextAction } from './context-action.js';
import { interruptTurn } from './interrupt-turn.js';
import { type Recovery, recoverFromExit } from './recover-from-exit.js';
import { renewAgent } from './renew-agent.js';
import { typeOwnText } from './type-own-text.js';
import { withRecords } from './with-records.js';

/** After the agent's own compaction: what its summary may have left out. */
async function giveLedger(supervision: Supervision): Promise<TypingOutcome> {
  const { agent } = supervision.agentProcess;
  if (agent === undefined) return GONE;
  const { text } = await writeDocument(supervision, agent.agentId);
  const outcome = await give(supervision, 'ledger', await withRecords(supervision, `${LEDGER_LEAD}\n\n${text}`));
  if (outcome.kind !== 'refused') agent.note({ type: 'ledger.given' });
  return outcome;
}

/** Seed 000: the specs in front of the agent again. Seed 001: the records too, as in every prompt. */
async function reinject(supervision: Supervision, summary: Summary): Promise<TypingOutcome> {
  const { agent } = supervision.agentProcess;
  if (agent === undefined) return GONE;
  const outcome = await give(supervision, 'specs', await withRecords(supervision, contextRefreshText(summary)));
  if (outcome.kind !== 'refused') agent.note({ type: 'reminder.given' });
  return outcome;
}

/** Types something for devs itself; its user's turn comes first. */
async function give(supervision: Supervision, kind: 'specs' | 'ledger', text: string): Promise<TypingOutcome> {
  const { agentProcess, record } = supervision;
  if (agentProcess.agent === undefined) return GONE;
  if (supervision.isAttended()) return { kind: 'refused', reason: 'draft' };
  const outcome = await typeOwnText(supervision, agentProcess.agent, text);
  if (outcome.kind !== 'refused') await record.append({ type: 'reminder.given', kind, tokens: estimateTokens(text) });
  return outcome;
}

const GONE: TypingOutcome = { kind: 'refused', reason: 'exited' };

/** `true`: look again at once. `exit`: what was known of the agent's end when it was decided. */
export async function performDecision(
  care: TerminalCare,
  decision: TerminalDecision,
  exit: AgentExitFacts | undefined,
): Promise<boolean> {
  const { supervision, notices } = care;
  switch (decision.do) {
    case 'nothing':
      if (!(await answerDialog(supervision, (key) => notices.once(key)))) noticeStanding(care, exit);
      return false;
    case 'wait':
      return false;
    case 'tell':
      noticePressure(care, decision.mark);
      return false;
    case 'leave-to-agent':
      noticeLeft(care, decision.why);
      return false;
    case 'give-ledger':
      return (await giveLedger(supervision)).kind !== 'refused';
    case 're-inject':
      return care.specs.show((summary) => reinject(supervision, summary));
    case 'compact':
    case 'clear':
      await actOnContext(care, decision.do);
      return true;
    case 'renew':
      return (await renewFor(care, decision.reason)) !== 'refused';
    case 'interrupt':
      await interruptFor(care, decision.why);
      return false;
    case 'resume':
      await recover(care, decision.afterMs);
      return true;
    case 'park':
      await park(care, decision.until);
      return false;
    case 'escalate':
      await escalate(care, decision.why);
      return false;
  }
}

export async function escalate({ supervision }: TerminalCare, why: string): Promise<void> {
  await supervision.record.append({ type: 'escalation.raised', why });
  supervision.notify({ kind: 'escalated', why });
}

export async function actOnContext({ supervision, wanted }: TerminalCare, action: StepContextAction): Promise<void> {
  const outcome = await wanted.perform(action, () => performContextAction(supervision, action));
  if (outcome.kind === 'abandoned') supervision.notify({ kind: 'context-action-abandoned', reason: outcome.reason });
}

/** What the agent works on is still to be done, and still its own. */
export async function isTaskOpen({ task, store }: TerminalCare['supervision']): Promise<boolean> {
  if (task === undefined) return false;
  const found = await store.tasks.get(task.id);
  return found?.status === 'in_progress' && found.fence === task.fence;
}

export async function afterRenewal(care: TerminalCare, renewing: ReturnType<typeof renewAgent>) {
  const outcome = await renewing;
  if (outcome.status === 'refused') noticeLeft(care, outcome.reason);
  return outcome.status;
}

/** Where its conversation could not be opened again. */
export async function orRenew(care: TerminalCare, recovery: Exclude<Recovery, { kind: 'running' }>): Promise<void> {
  if (recovery.kind === 'failed') return escalate(care, recovery.error);
  const wish = { cause: 'cannot be resumed', policy: care.policy } as const;
  const status = await afterRenewal(care, renewAgent(care.supervision, care.renewals, wish));
  if (status === 'refused') await escalate(care, 'neither its conversation nor a fresh one can be opened');
}

async function renewFor(care: TerminalCare, cause: Extract<TerminalDecision, { do: 'renew' }>['reason']) {
  const { supervision, renewals, policy, hasWorkLeft } = care;
  const isParked = supervision.record.facts.parkedUntil !== undefined;
  const left = async () => ({ hasWorkLeft: isParked || hasWorkLeft() || (await isTaskOpen(supervision)) });
  const wish = { cause, policy, ...(cause === 'clean exit' ? await left() : {}) };
  return afterRenewal(care, renewAgent(supervision, renewals, wish));
}

/** Once for each time that it is overdue: an agent that does not take it is not cut off again and again. */
async function interruptFor({ supervision, fullness }: TerminalCare, why: string): Promise<void> {
  fullness.again(supervision.clock.now());
  supervision.notify({ kind: 'interrupted', why });
  const outcome = await interruptTurn(supervision);
  if (outcome.kind === 'not-seen')
    supervision.notify({ kind: 'trouble', detail: `its turn was not interrupted: ${outcome.why}` });
}

async function recover(care: TerminalCare, afterMs: number): Promise<void> {
  const recovery = await recoverFromExit(care.supervision, afterMs);
  if (recovery.kind !== 'running') return orRenew(care, recovery);
  care.supervision.notify({ kind: 'resumed', conversationId: recovery.conversationId });
}

async function park({ supervision }: TerminalCare, until: number): Promise<void> {
  const { agentProcess, record, notify } = supervision;
  const limit = agentProcess.agent?.seen.limit;
  const why = limit?.kind === 'network' && limit.detail !== '' ? limit.detail : (limit?.kind ?? 'usage-limit');
  await record.append({ type: 'terminal.parked', until, why });
  notify({ kind: 'parked', until, why });
}

function noticePressure({ supervision, notices }: TerminalCare, mark: Exclude<PressureMark, 'low'>): void {
  notices.mark = mark;
  const pressure = pressureOf(supervision.agentProcess.agent?.seen.usage ?? { usedTokens: 0, windowTokens: 0 });
  supervision.notify({ kind: 'pressure', mark, pressure });
}

const noticeLeft = ({ supervision, notices }: TerminalCare, why: string) =>
  notices.once(why, () => supervision.notify({ kind: 'left-to-agent', why }));

/** Neither idle nor done: a person must act (H13). */
function noticeStanding({ supervision, notices }: TerminalCare, exit: AgentExitFacts | undefined): void {
  const { agentProcess, notify } = supervision;
  if (agentProcess.agent?.seen.state.activity === 'waiting') {
    const { since, evidence } = agentProcess.agent.seen.state;
    notices.once(`waiting ${since}`, () => notify({ kind: 'waiting', detail: evidence.detail }));
  }
  if (exit === undefined) return;
  const { exitCode, signal } = exit;
  const how = exitCode === undefined ? {} : { exitCode, ...(signal === undefined ? {} : { signal }) };
  notices.once('done', () => notify({ kind: 'done', ...how }));
}

/**
 * Answers a question that the user has answered in advance, once. All other questions, and all questions while the
 * user is there, wait for them: Enter on "No, exit" would end the agent (H20). Returns `true` if it was answered.
 */
async function answerDialog(
  { agentProcess, answers, record, isAttended, patience }: Supervision,
  isFirst: (key: string) => boolean,
): Promise<boolean> {
  const { agent } = agentProcess;
  if (answers.length === 0 || agent?.seen.state.activity !== 'waiting' || isAttended()) return false;
  const { state } = agent.seen;
  const findAsked = (question: RegExp): string | undefined => {
    const view = agent.view();
    return view === 'exited' ? undefined : view.lines.findLast((line) => question.test(line))?.trim();
  };
  for (const { question, keys } of answers) {
    const asked = findAsked(question);
    if (asked === undefined) continue;
    if (!isFirst(`answered ${state.since}`)) return true; // what comes of it is still to be seen
    await record.append({ type: 'dialog.answered', question: asked, keys });
    await pressConfirmed({
      terminal: agent,
      keys,
      isAsked: () => isSameWait(state, agent.seen.state) && findAsked(question) === asked && !isAttended(),
      signal: patience.signal,
    });
    return true;
  }
  return false;
}

const isSameWait = (before: TerminalState, { activity, since }: TerminalState): boolean =>
  activity === 'waiting' && since === before.since;
