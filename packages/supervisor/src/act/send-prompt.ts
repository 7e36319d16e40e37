import { readInput, showsPrompt, type TypingOutcome } from '@devs/core';
import type { Supervision } from '../supervision.js';
import { isPromptOnItsWay } from './carried-prompt.js';
import { typePrompt } from './type-prompt.js';

/** Types a prompt for the agent, and records the outcome. */
export async function sendPrompt(supervision: Supervision, text: string): Promise<TypingOutcome> {
  const { agentProcess, record, driver, source, typing, patience, newId } = supervision;
  if (agentProcess.agent === undefined) return { kind: 'refused', reason: 'exited' };
  if (isPromptOnItsWay(supervision)) return { kind: 'refused', reason: 'busy' };
  const promptId = newId();
  const isAgain = record.facts.typed.at(-1) === text;
  await record.append(isAgain ? { type: 'prompt.repeated', promptId } : { type: 'prompt.intended', promptId, text });
  const keepsRecords = source !== undefined;
  const outcome = await typePrompt({
    agent: agentProcess.agent,
    driver,
    text,
    keepsRecords,
    policy: typing,
    signal: patience.signal,
    id: promptId,
  });
  const reason = outcome.kind === 'delivered' ? '' : `: ${outcome.reason}`;
  await record.append({ type: 'prompt.settled', promptId, outcome: `${outcome.kind}${reason}` });
  if (outcome.kind === 'delivered' && record.facts.escalation !== undefined)
    await record.append({ type: 'escalation.settled' });
  return outcome;
}

/**
 * What a supervisor before this one was typing when it died: known now to have arrived, or still in the input and sent, or
 * reported. Never typed again.
 */
export async function settlePrompt(supervision: Supervision): Promise<void> {
  const { record, agentProcess, notify } = supervision;
  const { prompt } = record.facts;
  if (prompt === undefined) return;
  await agentProcess.agent?.look();
  const hasArrived =
    agentProcess.agent
      ?.since(0)
      .some((event) => event.type === 'conversation.grew' && showsPrompt(event.events, prompt.text)) ?? false;
  const isSent = hasArrived || (await sendLeft(supervision, prompt.text));
  if (!isSent) notify({ kind: 'prompt-unconfirmed', text: prompt.text, reason: 'the supervisor died meanwhile' });
  const outcome = isSent ? 'delivered' : 'unconfirmed: interrupted';
  await record.append({ type: 'prompt.settled', promptId: prompt.promptId, outcome });
}

/** Typed and not sent: it stands in the input, and waits for Enter. */
async function sendLeft(
  { agentProcess, driver, source, typing, patience }: Supervision,
  text: string,
): Promise<boolean> {
  const { agent } = agentProcess;
  const view = agent?.view();
  if (agent === undefined || view === undefined || view === 'exited') return false;
  if (readInput(view, text, driver.input).draft !== 'ours') return false;
  const keepsRecords = source !== undefined;
  const outcome = await typePrompt({ agent, driver, text, keepsRecords, policy: typing, signal: patience.signal });
  return outcome.kind === 'delivered';
}
