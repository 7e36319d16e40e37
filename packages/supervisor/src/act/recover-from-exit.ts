import { setTimeout as pause } from 'node:timers/promises';
import type { Supervision } from '../supervision.js';
import { canResume } from './go-back.js';
import { restartAgent } from './restart-agent.js';

export type Recovery =
  | { readonly kind: 'running'; readonly conversationId: string }
  /** Its CLI does not open conversations again: a renewal is all that is left. */
  | { readonly kind: 'needs-renewal' }
  | { readonly kind: 'failed'; readonly error: string };

/** Opens the conversation of an agent that crashed again, after a while. */
export async function recoverFromExit(supervision: Supervision, afterMs: number): Promise<Recovery> {
  await pause(afterMs, undefined, { signal: supervision.patience.signal });
  return openAgain(supervision, 'crash');
}

/** Reopens the conversation of the terminal's agent; ends a running agent first. */
export async function openAgain(supervision: Supervision, why: 'crash' | 'tools'): Promise<Recovery> {
  const { record, source, newId, agentProcess } = supervision;
  const { agent } = record.facts;
  if (agent === undefined) return { kind: 'failed', error: 'it is not known what ran here' };
  if (!supervision.hasAllArguments)
    return { kind: 'failed', error: 'its arguments held a secret, which is not stored' };
  const { conversationId, path, document } = agent;
  if (source !== undefined && path === undefined) {
    // It wrote nothing down: there is nothing to open again, and nothing is lost.
    const kind = document === undefined ? ('first' as const) : ('fresh' as const);
    const outcome = await restartAgent(supervision, { conversation: { kind, id: newId() }, why: 'again' });
    return told(outcome, agentProcess.agent?.agentId ?? '');
  }
  if (conversationId === undefined || !(await canResume(supervision, conversationId))) return { kind: 'needs-renewal' };
  const outcome = await restartAgent(supervision, { conversation: { kind: 'resume', id: conversationId }, why });
  return told(outcome, conversationId);
}

const told = (outcome: Awaited<ReturnType<typeof restartAgent>>, conversationId: string): Recovery =>
  outcome.kind === 'failed' ? { kind: 'failed', error: outcome.error } : { kind: 'running', conversationId };
