import { type AgentDriver, type Clock, readInput } from '@devs/core';
import type { FollowedAgent } from './follow/follow-agent.js';

/** Whether the user is there: attached, or he typed lately, or he left a draft in the input box. */
export interface Attendance {
  readonly isAttached: boolean;
  note(is: { readonly attached?: boolean; readonly typed?: boolean }): void;
  isAttended(agent: FollowedAgent | undefined): boolean;
}

export function createAttendance(options: {
  readonly driver: AgentDriver;
  readonly clock: Clock;
  readonly attendedMs: number;
  readonly isAttached: boolean;
}): Attendance {
  const { driver, clock, attendedMs } = options;
  let { isAttached } = options;
  let typedAt = Number.NEGATIVE_INFINITY;
  return {
    get isAttached() {
      return isAttached;
    },
    note({ attached, typed }) {
      if (attached === false && isAttached) typedAt = clock.now(); // he was there until now
      isAttached = attached ?? isAttached;
      if (typed === true) typedAt = clock.now();
    },
    isAttended: (agent) => isAttached || clock.now() - typedAt < attendedMs || hasDraft(agent, driver),
  };
}

/** What stands at the prompt of an agent at work may be the echo of what it was told. */
function hasDraft(agent: FollowedAgent | undefined, driver: AgentDriver): boolean {
  const view = agent?.view();
  if (view === undefined || view === 'exited' || agent?.seen.state.activity !== 'idle') return false;
  const { prompt, draft, dialog } = readInput(view, '', driver.input);
  return prompt === 'drawn' && draft === 'other' && !dialog;
}
