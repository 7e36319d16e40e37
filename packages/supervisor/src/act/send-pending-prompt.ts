import { join } from 'node:path';
import { isOwnPrompt, readFilePrompt, type TypingOutcome } from '@devs/core';
import { writePrivateFiles } from '@devs/drivers';
import type { Supervision } from '../supervision.js';
import { sendPrompt } from './send-prompt.js';

/**
 * Whether the agent that runs is still to be told what it was started for, and can be: when it has drawn its prompt, or should have.
 * Our own words wait until its user is gone (H17).
 */
export function isToBeTold({ record, agentProcess, clock, timing, isAttended }: Supervision): boolean {
  const { untold, agent } = record.facts;
  const state = agentProcess.agent?.seen.state;
  if (untold === undefined || untold.agentId !== agent?.agentId || agent.exit !== undefined) return false;
  const isReady = state?.activity === 'idle';
  // A program with a server takes longer to start than to draw a prompt, and words cannot get lost in its input meanwhile.
  const latestMs = timing.confirmMs * (agentProcess.agent?.channel === undefined ? 1 : STARTS_WITH_SERVER);
  const isLate = state?.activity === 'starting' && clock.now() - state.since > latestMs;
  return (isReady || isLate) && (!isOwnPrompt(untold.text) || !isAttended());
}

const STARTS_WITH_SERVER = 5;

/** Tells an agent what it was to be told at its start, where its command line could not hold it. */
export async function sendPendingPrompt(supervision: Supervision): Promise<TypingOutcome> {
  const { agentProcess, record, privateFolder } = supervision;
  const known = record.facts.untold;
  const { agent } = agentProcess;
  if (known === undefined || agent === undefined) return { kind: 'refused', reason: 'exited' };
  if (agent.seen.turnsEnded > 0) {
    await record.append({ type: 'prompt.observed' }); // it got another prompt meanwhile
    return { kind: 'delivered', enters: 0 };
  }
  const text = agentProcess.untold?.agentId === known.agentId ? agentProcess.untold.text : known.text;
  if (agent.channel !== undefined || !isLong(text)) return sendPrompt(supervision, text);
  const path = join(privateFolder, 'first-prompt.md');
  await writePrivateFiles([{ path, text: `${text}\n` }]);
  return sendPrompt(supervision, readFilePrompt(path));
}

/** Typed text must fit the screen: it is seen there before Enter. */
const isLong = (text: string): boolean => text.length > MAX_TYPED_LENGTH || text.split('\n').length > MAX_LINES;

const MAX_TYPED_LENGTH = 1_000;
const MAX_LINES = 8;
