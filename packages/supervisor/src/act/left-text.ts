import { holdsText } from '../attendance.js';
import type { Supervision } from '../supervision.js';

/** A text of devs' own in an agent's input, since it was first seen there. */
export interface LeftText {
  readonly agentId: string;
  readonly since: number;
  readonly enters: number;
}

/** `stuck`: Enter does not send it. `left` is for the next look. */
interface LeftOutcome {
  readonly kind: 'none' | 'waits' | 'sent' | 'stuck';
  readonly left?: LeftText;
}

/** A screen that lags behind may still show what was sent. */
const SETTLING_MS = 400;
const MAX_ENTERS = 3;

/**
 * Sends what devs typed and did not see arrive, and what stands in the input of an idle agent since: as the prompt that it was, or
 * two of them, one behind the other. Its user's own draft is none of these, and is not touched.
 */
export async function sendLeftText(supervision: Supervision, before: LeftText | undefined): Promise<LeftOutcome> {
  const { agentProcess, driver, clock, timing } = supervision;
  const { agent } = agentProcess;
  if (agent === undefined || agent.seen.state.activity !== 'idle' || supervision.isAttended()) return { kind: 'none' };
  if (!holdsText(agent, driver, supervision.ownTexts())) return { kind: 'none' };
  const now = clock.now();
  const { agentId } = agent;
  const left = before?.agentId === agentId ? before : { agentId, since: now, enters: 0 };
  if (now - left.since < SETTLING_MS + left.enters * timing.considerMs) return { kind: 'waits', left };
  if (left.enters >= MAX_ENTERS) return { kind: 'stuck', left };
  await agent.write('\r');
  return { kind: 'sent', left: { ...left, enters: left.enters + 1 } };
}
