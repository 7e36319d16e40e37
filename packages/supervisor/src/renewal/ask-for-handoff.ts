import { type HandoffEvent, handoffRequest, type RenewalEffect } from '@devs/core';
import { typeOwnText } from '../act/type-own-text.js';
import type { FollowedAgent } from '../follow/follow-agent.js';
import { waitUntil } from '../follow/wait-until.js';
import type { Supervision } from '../supervision.js';
import { answersAfter, findAnswer, findToolWords, wasAsked } from './find-words.js';

type Ask = Extract<RenewalEffect, { type: 'ask-for-handoff' }>;

/** Asks the agent for its own words, once, and waits until its turn has ended or its time is up. */
export async function askForHandoff(
  supervision: Supervision,
  { agentId, until }: Ask,
  newAgentId: string,
): Promise<HandoffEvent> {
  const { agentProcess, patience } = supervision;
  const { agent } = agentProcess;
  if (agent === undefined || agent.agentId !== agentId || agent.view() === 'exited') return missed('exited');
  const from = agent.mark();
  await agent.look();
  const isAskedAlready = wasAsked(agent.since(0), newAgentId);
  if (!isAskedAlready) {
    const refusal = await ask(supervision, agent, newAgentId);
    if (refusal !== undefined) return (await findToolWords(supervision)) ?? refusal;
  }
  const hasEnded = await waitUntil(
    () => agent.view() === 'exited' || isAnswered(agent, isAskedAlready ? 0 : from, newAgentId),
    until,
    patience,
  );
  const told = await findToolWords(supervision);
  if (told !== undefined) return told;
  if (!hasEnded) return missed('timeout');
  const { exit } = agent.hosted;
  // A crashed agent may have stopped in the middle of a sentence.
  if (exit !== undefined && exit.exitCode !== 0) return missed('exited');
  return findAnswer(agent, newAgentId) ?? missed(exit === undefined ? 'timeout' : 'exited');
}

async function ask(
  supervision: Supervision,
  agent: FollowedAgent,
  newAgentId: string,
): Promise<HandoffEvent | undefined> {
  if (supervision.isAttended()) return missed('undelivered');
  const outcome = await typeOwnText(supervision, agent, handoffRequest(newAgentId));
  if (outcome.kind === 'delivered') return undefined;
  return missed(outcome.reason === 'exited' ? 'exited' : 'undelivered');
}

/** Idle, after a turn that it had since it was asked. */
function isAnswered({ seen, since }: FollowedAgent, from: number, newAgentId: string): boolean {
  if (seen.state.activity !== 'idle') return false;
  const events = since(from);
  return events.some(({ type }) => type === 'turn.ended') || answersAfter(events, newAgentId).length > 0;
}

const missed = (reason: Extract<HandoffEvent, { type: 'handoff.missed' }>['reason']): HandoffEvent => ({
  type: 'handoff.missed',
  reason,
});
