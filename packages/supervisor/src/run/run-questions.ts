import {
  choosePermission,
  type PermissionSubject,
  type RunDecision,
  type RunPrompt,
  refusePermission,
  TOLD,
  type TypingOutcome,
  withLastWords,
} from '@devs/core';
import type { KnownRun } from './known-run.js';

export const FOR_ANSWER = 'it waits for an answer of the user';

/** After these the answer is still on its way. */
const STILL_ON_ITS_WAY: ReadonlySet<string> = new Set<Unseen>(['busy', 'exited', 'interrupted']);

export interface Question {
  readonly question: string;
  readonly diagnosis: string;
  readonly permission?: PermissionSubject;
  /** What the user said to the same question before. */
  readonly answer?: string;
}

/** A run that may be paused for its question. */
interface AskingRun {
  readonly run: KnownRun;
  readonly ending: { stop(why: string): Promise<void> };
}

export async function raiseQuestion({ record, request, watch }: KnownRun, asked: Question): Promise<void> {
  const { question, permission, answer } = asked;
  const diagnosis = withLastWords(asked.diagnosis, watch.signs.lastNote);
  const escalationId = `q-${request.newId().replaceAll('-', '').slice(0, 6)}`;
  const about = permission === undefined ? {} : { permission };
  await record.append({ type: 'escalation.raised', escalationId, question, diagnosis, ...about });
  if (answer !== undefined) return record.append({ type: 'escalation.answered', escalationId, answer });
  request.onNotice?.({ kind: 'escalated', why: `${question} ${asked.diagnosis}` });
}

/** Pauses the run where no user waits for the answer, or its agent is of no use before. */
export function waitForAnswer({ run, ending }: AskingRun, endsAgent = false): void {
  if (run.request.onEscalation === 'pause' || endsAgent) void ending.stop(FOR_ANSWER);
}

/** The answer did not reach the agent: the same question is open again. */
export async function askAgain(
  asking: AskingRun,
  {
    isTyped,
    why,
    endsAgent,
  }: { readonly isTyped: boolean; readonly why: string; readonly endsAgent?: true | undefined },
): Promise<void> {
  const { record, request } = asking.run;
  const { escalation } = record.facts;
  if (escalation === undefined) return;
  await record.append({ type: 'escalation.unanswered', escalationId: escalation.id, isTyped, why });
  request.onNotice?.({
    kind: 'escalated',
    why: `${escalation.question} Your answer did not reach the agent: ${why}`,
  });
  waitForAnswer(asking, endsAgent);
}

export async function settleQuestion(
  { watch, record, terminal }: KnownRun,
  how: string,
  isKept: { readonly isKept?: true } = {},
): Promise<void> {
  watch.stepEnded();
  const { escalation } = record.facts;
  if (escalation !== undefined)
    await record.append({ type: 'escalation.settled', escalationId: escalation.id, how, ...isKept });
  if (terminal?.status().needs?.kind === 'escalation') await terminal.settle();
}

/** The question is settled by the agent's own record, and by nothing else. */
export async function afterSending(
  asking: AskingRun,
  prompt: RunPrompt,
  outcome: TypingOutcome | undefined,
): Promise<void> {
  if (prompt !== 'answer' || outcome === undefined || asking.run.record.facts.escalation === undefined) return;
  if (outcome.kind === 'delivered') return settleQuestion(asking.run, TOLD);
  if (STILL_ON_ITS_WAY.has(outcome.reason)) return; // the next agent, or the next look, gets it
  await askAgain(asking, { isTyped: outcome.kind === 'unconfirmed', why: whyUnseen(outcome.reason) });
}

/** Gives the user's choice to the agent that asked for a permission. */
export async function answerAsked(
  asking: AskingRun,
  { permission: { requestId, choices }, as }: Extract<RunDecision, { do: 'answer-permission' }>,
): Promise<void> {
  const { record, terminal } = asking.run;
  const { answer = '' } = record.facts.escalation ?? {};
  const chosen = as === 'choice' ? choosePermission(answer, choices) : refusePermission(answer, choices);
  if (chosen === undefined) return askAgain(asking, { isTyped: false, why: `there is no choice "${answer}"` });
  const outcome = await terminal?.answerPermission(requestId, chosen);
  if (outcome?.kind === 'settled') return settleQuestion(asking.run, TOLD);
  await askAgain(asking, { isTyped: outcome?.isHanded === true, why: outcome?.why ?? 'no agent runs' });
}

type Unseen = Exclude<TypingOutcome, { kind: 'delivered' }>['reason'];

/** Why the agent does not have the user's answer, in words for the user. */
function whyUnseen(reason: Unseen): string {
  switch (reason) {
    case 'dialog':
      return 'a dialog is open on its screen, which takes no words';
    case 'draft':
      return 'other unsent text is in its input';
    case 'prompt-not-drawn':
      return 'its screen shows no input';
    case 'needs-bracketed-paste':
      return 'its input takes no text of several lines';
    case 'not-drawn':
      return 'the words did not appear in its input';
    case 'not-confirmed':
      return 'its own record does not show them';
    case 'busy':
      return 'it is at work';
    case 'exited':
      return 'it has ended';
    case 'interrupted':
      return 'the typing was interrupted';
  }
}
