import type { AgentDriver, HandOver, TypingOutcome } from '@devs/core';
import type { FollowedAgent } from '../follow/follow-agent.js';
import { waitUntil } from '../follow/wait-until.js';
import type { Supervision } from '../supervision.js';

/**
 * `seen`: the agent's own record says that its turn was interrupted · `idle`: it did nothing · `told`: what became of the words
 * that it was to get instead
 */
export type InterruptOutcome =
  | { readonly kind: 'seen' | 'idle'; readonly told?: TypingOutcome }
  | { readonly kind: 'not-seen'; readonly why: string };

/** More than an agent takes to write down that it was interrupted. */
const MAX_MS = 15_000;

/** Ends the turn that is under way, over the agent's channel, else by its key, and sees that in the agent's own record. */
export async function interruptTurn(
  { agentProcess, driver, clock, patience }: Supervision,
  longestMs = MAX_MS,
): Promise<InterruptOutcome> {
  const { agent } = agentProcess;
  if (agent === undefined || agent.view() === 'exited') return { kind: 'not-seen', why: 'no agent runs' };
  await agent.look();
  if (isIdle(agent)) return { kind: 'idle' };
  const from = agent.mark();
  const handed = await hand(agent, driver);
  if (handed !== 'handed') return { kind: 'not-seen', why: WHY[handed] };
  const isTold = async () => {
    await agent.look();
    return agent.view() === 'exited' || agent.since(from).some(({ type }) => ENDS.has(type));
  };
  await waitUntil(isTold, clock.now() + longestMs, patience);
  const [first] = agent.since(from).flatMap(({ type }) => (ENDS.has(type) ? [type] : []));
  // Agents that record an interrupt record the end of the turn beside it.
  if (agent.since(from).some(({ type }) => type === 'turn.interrupted')) return { kind: 'seen' };
  if (first !== undefined) return { kind: 'not-seen', why: 'its turn ended by itself in that moment' };
  if (agent.view() === 'exited') return { kind: 'not-seen', why: 'it ended in that moment' };
  return {
    kind: 'not-seen',
    why: isIdle(agent) ? 'it is idle, and has recorded nothing' : 'its record does not show it',
  };
}

const isIdle = ({ seen }: FollowedAgent): boolean => seen.state.activity === 'idle';

async function hand(agent: FollowedAgent, { interruptKeys }: AgentDriver): Promise<HandOver> {
  if (agent.channel !== undefined) return agent.channel.interrupt();
  if (interruptKeys === undefined) return 'unsupported';
  const written = await agent.write(interruptKeys);
  return written === 'written' ? 'handed' : written === 'exited' ? 'gone' : 'full';
}

const ENDS: ReadonlySet<string> = new Set(['turn.interrupted', 'turn.ended']);

const WHY: Readonly<Record<Exclude<HandOver, 'handed'>, string>> = {
  unsupported: 'devs knows no way to interrupt this agent',
  gone: 'it has ended',
  full: 'it does not read now',
};
