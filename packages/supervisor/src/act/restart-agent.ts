import { GO_ON_PROMPT, isOwnPrompt, type LaunchConversation, RESUME_PROMPT, TOOLS_PROMPT } from '@devs/core';
import type { StartOutcome } from '../launch/agent-process.js';
import type { AgentExitFacts, RestartReason } from '../record/terminal-event.js';
import { documentFor } from '../record/terminal-facts.js';
import { systemPromptFor } from '../renewal/create-performer.js';
import type { Supervision } from '../supervision.js';
import { withRecords } from './with-records.js';

export interface Restart {
  readonly conversation: LaunchConversation;
  readonly why: RestartReason;
}

/** Promises another process in the terminal, with the id that it will have, and keeps the promise. */
export async function restartAgent(supervision: Supervision, { conversation, why }: Restart): Promise<StartOutcome> {
  const agentId = conversation.kind === 'resume' ? supervision.newId() : conversation.id;
  await supervision.record.append({ type: 'restart.started', agentId, conversation, why });
  return finishRestart(supervision);
}

/** Completes a promised restart, from any point where the previous supervisor stopped. Idempotent. */
export async function finishRestart(supervision: Supervision): Promise<StartOutcome> {
  const { agentProcess, record, timing } = supervision;
  const { restart, agent: old } = record.facts;
  if (restart === undefined) return { kind: 'failed', error: 'nothing was promised' };
  // What the host has in this place is the old process until that is recorded as cleared, and the new one after it.
  if (old !== undefined && !old.isCleared) await agentProcess.clear(old.agentId, timing.graceMs);
  const { agentId, conversation, why } = restart;
  const systemPrompt = systemPromptFor(supervision, documentFor(record.facts, restart));
  const outcome = await agentProcess.start({
    agentId,
    conversation,
    ...(systemPrompt === '' ? {} : { systemPrompt }),
    ...(await firstPrompt(supervision, why)),
  });
  if (outcome.kind === 'failed') await record.append({ type: 'restart.failed', agentId, error: outcome.error });
  return outcome;
}

/**
 * An agent that takes over another's work learns what git shows of it: the other may have died between its commit and
 * its report.
 */
async function firstPrompt(supervision: Supervision, why: RestartReason): Promise<{ readonly firstPrompt?: string }> {
  const { firstPrompt: text } = promptFor(supervision, why);
  if (text === undefined || why === 'first') return text === undefined ? {} : { firstPrompt: text };
  const left = await supervision.leftWork();
  const told = left === undefined ? text : `${text}\n\n${left}`;
  return { firstPrompt: isOwnPrompt(text) ? await withRecords(supervision, told) : told };
}

function promptFor(
  { userPrompt, resumePrompt, record }: Supervision,
  why: RestartReason,
): { readonly firstPrompt?: string } {
  if (why === 'crash') return wasIdle(record.facts.agent?.exit) ? {} : { firstPrompt: RESUME_PROMPT };
  if (why === 'tools') return { firstPrompt: TOOLS_PROMPT };
  if (why === 'resumed') return resumePrompt === '' ? {} : { firstPrompt: resumePrompt ?? RESUME_PROMPT };
  if (why === 'again' && record.facts.agent?.document !== undefined) return { firstPrompt: GO_ON_PROMPT };
  return (why === 'first' || why === 'again') && userPrompt !== undefined ? { firstPrompt: userPrompt } : {};
}

/** It ended with its host while idle: nothing was interrupted. */
const wasIdle = (exit: AgentExitFacts | undefined): boolean => exit?.kind === 'lost' && exit.wasBusy === false;
