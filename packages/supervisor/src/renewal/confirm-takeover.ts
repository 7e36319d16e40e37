import type { AgentEvent, RenewalEvent } from '@devs/core';
import { typeOwnText } from '../act/type-own-text.js';
import { showsWork } from '../act/type-prompt.js';
import type { FollowedAgent } from '../follow/follow-agent.js';
import { waitUntil } from '../follow/wait-until.js';
import type { Supervision } from '../supervision.js';

type Takeover = Extract<RenewalEvent, { type: 'takeover.confirmed' | 'takeover.missed' }>;

export interface FirstPrompt {
  readonly text: string;
  /** It is on the command line. Else it has to be typed. */
  readonly isGiven: boolean;
}

/** Sees that the new agent has begun to work, by its own records; types its first prompt where it did not get it. */
export async function confirmTakeover(
  supervision: Supervision,
  agentId: string,
  prompt: FirstPrompt,
): Promise<Takeover> {
  const { agentProcess, clock, timing, patience } = supervision;
  const { agent } = agentProcess;
  if (agent === undefined || agent.agentId !== agentId) return missed('it is gone');
  const keepsRecords = supervision.source !== undefined;
  // What it says of an error of the provider stands in its records like an answer.
  const hasFailed = () => agent.seen.failure !== undefined;
  const hasBegun = () => !hasFailed() && agent.since(0).some((event) => showsTurn(event, keepsRecords));
  const isOver = () => hasBegun() || hasFailed() || agent.view() === 'exited';
  const begun = clock.now();
  if (prompt.isGiven) await waitUntil(isOver, begun + timing.confirmMs, patience);
  // A slowly starting agent has its prompt on the way: a second one would stay in its input behind that (R3).
  if (!isOver() && (!prompt.isGiven || agent.seen.state.activity === 'idle')) {
    await tell(supervision, agent, prompt.text);
    await waitUntil(isOver, (prompt.isGiven ? clock.now() : begun) + timing.confirmMs, patience);
  }
  if (hasBegun()) return { type: 'takeover.confirmed' };
  const { failure } = agent.seen;
  if (failure !== undefined) return missed(`its turn ended with an error: ${failure.detail}`);
  const { exit } = agent.hosted;
  if (exit !== undefined) return missed(`it exited with code ${exit.exitCode}`);
  return missed(agent.seen.state.activity === 'waiting' ? 'it waits for an answer' : 'it did not begin to work');
}

/** Not into a dialog, a draft or a working agent: then the user decides. */
async function tell(supervision: Supervision, agent: FollowedAgent, text: string): Promise<void> {
  if (!supervision.isAttended()) await typeOwnText(supervision, agent, text);
}

/** The model has said something, or it was asked and the agent works. */
const showsTurn = (event: AgentEvent, keepsRecords: boolean): boolean =>
  event.type === 'turn.ended' ||
  (event.type === 'conversation.grew' &&
    event.events.some(({ type }) => type === 'note.written' || type === 'tool.called' || type === 'thought.written')) ||
  (!keepsRecords && showsWork(event));

const missed = (reason: string): Takeover => ({ type: 'takeover.missed', reason });
