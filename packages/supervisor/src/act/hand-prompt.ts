import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentChannel, AgentEvent, TypingOutcome } from '@devs/core';
import type { FollowedAgent } from '../follow/follow-agent.js';

export interface HandedPrompt {
  readonly agent: FollowedAgent;
  readonly text: string;
  /** Under which the agent records it. */
  readonly id?: string | undefined;
  /** A command of the agent instead of a text. */
  readonly command?: 'compact' | 'clear' | undefined;
  /** What proves that it arrived. Default: the agent has recorded it under its id. */
  readonly proves?: ((event: AgentEvent) => boolean) | undefined;
  readonly signal: AbortSignal;
}

/** An agent writes down what it is told before it does anything else, so a machine has to be very busy to take this long. */
const MAX_MS = 30_000;
const POLL_MS = 50;

/** Gives an agent words over its channel, and sees them in its own records, or says that it did not. An input is not touched. */
export async function handPrompt(
  { agent, text, id = randomUUID(), command, proves, signal }: HandedPrompt,
  channel: AgentChannel,
): Promise<TypingOutcome> {
  const { activity } = agent.seen.state;
  if (agent.view() === 'exited') return { kind: 'refused', reason: 'exited' };
  if (activity === 'waiting') return { kind: 'refused', reason: 'dialog' };
  if (activity !== 'idle') return { kind: 'refused', reason: 'busy' };
  const from = agent.mark();
  const handed = await (command === undefined ? channel.prompt(text, id) : channel[command]());
  if (handed === 'gone') return { kind: 'refused', reason: 'exited' };
  if (handed !== 'handed') return { kind: 'refused', reason: 'busy' };
  const isProof = proves ?? ((event) => event.type === 'prompt.accepted' && event.promptId === id);
  const deadline = performance.now() + MAX_MS;
  while (!agent.since(from).some(isProof)) {
    if (agent.view() === 'exited') return { kind: 'unconfirmed', reason: 'exited', enters: 0 };
    if (performance.now() > deadline) return { kind: 'unconfirmed', reason: 'not-confirmed', enters: 0 };
    await pause(POLL_MS, undefined, { signal });
    await agent.look();
  }
  return { kind: 'delivered', enters: 0 };
}
