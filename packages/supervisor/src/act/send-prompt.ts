import { showsPrompt, type TypingOutcome } from '@devs/core';
import type { Supervision } from '../supervision.js';
import { typePrompt } from './type-prompt.js';

/** Types what somebody wants the agent to know, and records what came of it. */
export async function sendPrompt(supervision: Supervision, text: string): Promise<TypingOutcome> {
  const { seat, record, driver, source, typing, patience, newId } = supervision;
  if (seat.agent === undefined) return { kind: 'refused', reason: 'exited' };
  const promptId = newId();
  await record.append({ type: 'prompt.intended', promptId, text });
  if (record.facts.escalation !== undefined) await record.append({ type: 'escalation.settled' });
  const keepsRecords = source !== undefined;
  const outcome = await typePrompt({
    agent: seat.agent,
    driver,
    text,
    keepsRecords,
    policy: typing,
    signal: patience.signal,
  });
  const reason = outcome.kind === 'delivered' ? '' : `: ${outcome.reason}`;
  await record.append({ type: 'prompt.settled', promptId, outcome: `${outcome.kind}${reason}` });
  return outcome;
}

/** What a supervisor before this one was typing when it died: known now to have arrived, or reported. Never typed again. */
export async function settlePrompt({ record, seat, notify }: Supervision): Promise<void> {
  const { prompt } = record.facts;
  if (prompt === undefined) return;
  await seat.agent?.look();
  const hasArrived =
    seat.agent
      ?.since(0)
      .some((event) => event.type === 'conversation.grew' && showsPrompt(event.events, prompt.text)) ?? false;
  if (!hasArrived) notify({ kind: 'prompt-unconfirmed', text: prompt.text, reason: 'the supervisor died meanwhile' });
  const outcome = hasArrived ? 'delivered' : 'unconfirmed: interrupted';
  await record.append({ type: 'prompt.settled', promptId: prompt.promptId, outcome });
}
