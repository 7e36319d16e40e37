import type { Supervision } from '../supervision.js';

/**
 * Whether the agent's first prompt is still on its way: until its records show it, or for as long as a new agent may
 * take. Text typed meanwhile would stay in its input behind that prompt (R3).
 */
export function isPromptOnItsWay({ record, agentProcess, clock, timing, source }: Supervision): boolean {
  const { agent } = record.facts;
  const followed = agentProcess.agent;
  if (agent?.carries !== true || agent.exit !== undefined || followed?.agentId !== agent.agentId) return false;
  const { isAsked, startedAt, state } = followed.seen;
  const hasArrived = isAsked || (source === undefined && state.activity === 'busy');
  return !hasArrived && clock.now() - startedAt < timing.confirmMs;
}
