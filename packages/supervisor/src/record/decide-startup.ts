import { isRenewing, type RenewalState } from '@devs/core';
import type { TerminalFacts } from './terminal-facts.js';

export interface Beginning {
  readonly facts: TerminalFacts;
  readonly renewal: RenewalState;
  /** What the host has under the terminal's name. */
  readonly hosted: 'nothing' | 'running' | 'exited';
  /** It was said what to start. */
  readonly isToStart: boolean;
  readonly isAttended: boolean;
  readonly hasWorkLeft: boolean;
}

/**
 * `finish-stop`: it was stopped, and processes remain · `go-on`: continue the running agent, or the recorded one ·
 * `start`: a new agent · `nothing`: there is nothing to continue · `foreign`: an unrecorded process runs there
 */
export type Startup = 'finish-stop' | 'go-on' | 'start' | 'nothing' | 'foreign';

/** Pure: what a supervisor does first, given what the one before it left. */
export function decideStartup({ facts, renewal, hosted, isToStart, isAttended, hasWorkLeft }: Beginning): Startup {
  const orStart = isToStart ? 'start' : 'nothing';
  const { agent, restart, isStopped } = facts;
  if (isStopped) return hosted === 'nothing' ? orStart : 'finish-stop';
  if (restart !== undefined || isRenewing(renewal)) return 'go-on';
  if (!isToStart && wasNotReplaced(facts, renewal)) return 'go-on'; // its user has to be told
  if (agent === undefined) return hosted === 'running' ? 'foreign' : orStart;
  const { exit } = agent;
  if (exit === undefined && hosted !== 'nothing') return 'go-on';
  if (isAttended && isToStart) return 'start'; // the user has come to work, and sees that it is gone
  const isUnfinished = exit === undefined || exit.kind === 'lost' || exit.wasBusy === true || hasWorkLeft;
  return isUnfinished && exit?.kind !== 'ended' ? 'go-on' : orStart;
}

/** Whether a renewal ended the agent, could not start another, and was not reported yet. Pure. */
export const wasNotReplaced = ({ agent, escalation }: TerminalFacts, { phase }: RenewalState): boolean =>
  phase === 'failed' && agent?.isCleared === true && escalation === undefined;

/** Whose process it is that the host has under the terminal's name; `undefined` where that is only found out later. Pure. */
export function ownerOf({ agent, restart }: TerminalFacts, { phase }: RenewalState): string | undefined {
  if (phase === 'spawning') return undefined;
  if (restart !== undefined && (agent === undefined || agent.isCleared)) return undefined;
  return agent?.agentId;
}
