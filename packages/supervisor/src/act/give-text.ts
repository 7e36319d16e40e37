import { contextRefreshText, estimateTokens, LEDGER_LEAD, type TypingOutcome } from '@devs/core';
import { writeDocument } from '../renewal/write-document.js';
import type { Supervision } from '../supervision.js';
import type { Summary } from '../terminal-care.js';
import { typeOwnText } from './type-own-text.js';
import { withRecords } from './with-records.js';

/** After the agent's own compaction: what its summary may have left out. */
export async function giveLedger(supervision: Supervision): Promise<TypingOutcome> {
  const { agent } = supervision.agentProcess;
  if (agent === undefined) return GONE;
  const { text } = await writeDocument(supervision, agent.agentId);
  const outcome = await give(supervision, 'ledger', await withRecords(supervision, `${LEDGER_LEAD}\n\n${text}`));
  if (outcome.kind !== 'refused') agent.note({ type: 'ledger.given' });
  return outcome;
}

/** Seed 000: the specs in front of the agent again. Seed 001: the records too, as in every prompt. */
export async function reinject(supervision: Supervision, summary: Summary): Promise<TypingOutcome> {
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
