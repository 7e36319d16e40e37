import { aboutError } from '../agent-driver/about-error.js';
import { reminderDue } from '../hooks/decide-reminder.js';
import type { StepContextAction } from '../workflow/types.js';
import { DEFAULT_POLICY, type TerminalPolicy } from './policy.js';
import { markOf, type PressureMark } from './pressure-mark.js';
import { type RowRefusal, refusalOfRow } from './renewal-row.js';
import { NO_HISTORY, type TerminalHistory } from './terminal-history.js';
import type { AgentExit, AgentLimit, TerminalSignals } from './terminal-signals.js';

export type RenewalReason =
  | 'soft mark'
  | 'firm mark'
  | 'second compaction'
  | 'clean exit'
  | 'crash above the soft mark';
export type ReminderReason = Exclude<ReturnType<typeof reminderDue>, undefined>;

export type TerminalDecision =
  | { readonly do: 'nothing'; readonly why: string }
  /** Something is due, and will be done when the user has been away for long enough. */
  | { readonly do: 'wait'; readonly why: string }
  | { readonly do: 'tell'; readonly mark: Exclude<PressureMark, 'low'> }
  | { readonly do: 'give-ledger' }
  | { readonly do: 're-inject'; readonly reason: ReminderReason }
  | { readonly do: StepContextAction; readonly why: string }
  | { readonly do: 'renew'; readonly reason: RenewalReason }
  /** The turn does not end, and a renewal is overdue: it is done once the agent is idle. */
  | { readonly do: 'interrupt'; readonly why: string }
  | { readonly do: 'resume'; readonly afterMs: number }
  | { readonly do: 'park'; readonly until: number }
  | { readonly do: 'leave-to-agent'; readonly why: string }
  | { readonly do: 'escalate'; readonly why: string };

/**
 * Decides what to do with one terminal now. The single policy for pressure, boundaries, crashes and limits; pure, so
 * that a night can be replayed. In an attended terminal it never types, kills or starts anything, except an agent that
 * died with its host.
 */
export function decide(
  signals: TerminalSignals,
  policy: TerminalPolicy = DEFAULT_POLICY,
  history: TerminalHistory = NO_HISTORY,
): TerminalDecision {
  if (policy.observeOnly) return nothing('only measuring');
  if (signals.exit !== undefined) return afterExit(signals.exit, signals, policy, history);
  if (signals.attended) return forUser(signals, policy, history);
  if (signals.limit !== undefined) return atLimit(signals.limit, signals.now, policy, history);
  if (signals.state === 'busy') return whileBusy(signals, policy, history);
  if (signals.state !== 'idle') return nothing(`the agent is ${signals.state}`);
  if (signals.failure !== undefined) return { do: 'escalate', why: aboutError(signals.failure) };
  if (signals.contextAction !== undefined) return { do: signals.contextAction, why: 'the step asks for it' };
  if (signals.isConversationOver === true) return nothing('its conversation is over');
  return atPressure(signals, policy, history) ?? ofContext(signals, policy) ?? nothing('below every mark');
}

/** A turn is let to its end, unless it lasts very long above the firm mark; and then no command is cut off. */
function whileBusy(signals: TerminalSignals, policy: TerminalPolicy, history: TerminalHistory): TerminalDecision {
  const { now, fullSince, isBetweenTools, isConversationOver, contextAction } = signals;
  const isOverdue = fullSince !== undefined && now - fullSince >= policy.interruptMs;
  const isWanted = policy.renewal && isConversationOver !== true && contextAction === undefined;
  if (!isOverdue || !isWanted || isBetweenTools !== true || whyLeftToAgent(history, policy) !== undefined)
    return nothing('the agent is busy');
  const minutes = Math.floor((now - fullSince) / 60_000);
  return { do: 'interrupt', why: `it has worked for ${minutes} min above the firm mark` };
}

function atPressure(
  signals: TerminalSignals,
  policy: TerminalPolicy,
  history: TerminalHistory,
): TerminalDecision | undefined {
  if (!policy.renewal) return undefined;
  const reason = renewalDue(signals, policy);
  return reason === undefined ? undefined : renewOr(history, policy, reason);
}

/** Why an idle agent is renewed where it is. */
export function renewalDue(
  signals: Pick<TerminalSignals, 'usage' | 'compactions' | 'atBoundary' | 'cacheIsCold'>,
  policy: Pick<TerminalPolicy, 'marks'>,
): RenewalReason | undefined {
  const mark = markOf(signals.usage, policy.marks);
  if (mark === 'firm') return 'firm mark';
  if (signals.compactions >= 2 && signals.atBoundary) return 'second compaction';
  if (mark === 'soft' && (signals.atBoundary || signals.cacheIsCold === true)) return 'soft mark';
  return undefined;
}

function renewOr(history: TerminalHistory, policy: TerminalPolicy, reason: RenewalReason): TerminalDecision {
  const why = whyLeftToAgent(history, policy);
  return why === undefined ? { do: 'renew', reason } : { do: 'leave-to-agent', why };
}

/** Why a renewal that is due would not be done now, so that the agent compacts by itself. */
export function whyLeftToAgent(
  history: TerminalHistory,
  { mostRenewals }: Pick<TerminalPolicy, 'mostRenewals'>,
): string | undefined {
  if (history.wentBack === true) return 'its user went back to this conversation';
  const refusal = refusalOfRow(history.renewals, mostRenewals);
  return refusal === undefined ? undefined : aboutRow(refusal, history);
}

function aboutRow(refusal: RowRefusal, { renewals: { inARow } }: TerminalHistory): string {
  if (refusal === 'no work since the last one') return 'it has not worked since its last renewal';
  if (inARow === 0) return 'renewal.most is 0';
  return `renewed ${inARow === 1 ? 'once' : `${inARow} times in a row`} without finishing a step or task`;
}

/** Restores what the agent's compaction left out, and what it may have drifted from. */
function ofContext(signals: TerminalSignals, policy: TerminalPolicy): TerminalDecision | undefined {
  if (signals.compactedSinceLedger === true && policy.ledgerAfterCompaction) return { do: 'give-ledger' };
  const { reminder } = signals;
  if (reminder === undefined || !policy.reminders) return undefined;
  const reason = reminderDue(reminder, policy.reminderTurns);
  return reason === undefined ? undefined : { do: 're-inject', reason };
}

/** The user comes first: one notice for each mark. */
function forUser({ usage }: TerminalSignals, { marks }: TerminalPolicy, { toldOf }: TerminalHistory): TerminalDecision {
  const mark = markOf(usage, marks);
  return mark !== 'low' && rank[mark] > rank[toldOf] ? { do: 'tell', mark } : nothing('the user is here');
}

const rank: Record<PressureMark, number> = { low: 0, soft: 1, firm: 2 };

function atLimit(
  { until }: AgentLimit,
  now: number,
  { parkMs, mostParks }: TerminalPolicy,
  { parksInARow }: TerminalHistory,
): TerminalDecision {
  if (until !== undefined && until > now) return { do: 'park', until };
  if (parksInARow >= mostParks) return { do: 'escalate', why: `the provider refused ${parksInARow} times in a row` };
  return { do: 'park', until: now + parkMs * 2 ** parksInARow };
}

function afterExit(
  { kind, hasWorkLeft, diedWithHost }: AgentExit,
  signals: TerminalSignals,
  policy: TerminalPolicy,
  history: TerminalHistory,
): TerminalDecision {
  if (!hasWorkLeft) return nothing('it has ended with its work done');
  if (signals.attended && diedWithHost !== true) return signals.hasLeft === true ? LATER : nothing('the user is here');
  if (kind === 'clean')
    return policy.autoHandoff ? renewOr(history, policy, 'clean exit') : nothing('it has ended, and may');
  const isTooFull = markOf(signals.usage, policy.marks) !== 'low' && signals.isConversationOver !== true;
  if (isTooFull && policy.renewal && history.wentBack !== true)
    return renewOr(history, policy, 'crash above the soft mark');
  if (history.resumesInARow >= policy.mostResumes)
    return { do: 'escalate', why: `it crashed ${history.resumesInARow + 1} times in a row` };
  return { do: 'resume', afterMs: Math.min(policy.resumeMs * 2 ** history.resumesInARow, policy.longestResumeMs) };
}

const LATER: TerminalDecision = { do: 'wait', why: 'the user was here a moment ago' };

const nothing = (why: string): TerminalDecision => ({ do: 'nothing', why });
