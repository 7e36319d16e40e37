import { type AgentDriver, type Clock, readInput } from '@devs/core';
import type { FollowedAgent } from './follow/follow-agent.js';

/** What is known of the user. `left`: they detached on purpose, and nothing waits for them any more. */
export interface UserPresence {
  readonly attached?: boolean;
  readonly typed?: boolean;
  readonly left?: boolean;
}

/** Whether the user is there: attached, typed recently, or left a draft in the input box. */
export interface Attendance {
  readonly isAttached: boolean;
  note(is: UserPresence): void;
  isAttended(agent: FollowedAgent | undefined): boolean;
}

export function createAttendance(options: {
  readonly driver: AgentDriver;
  readonly clock: Clock;
  readonly attendedMs: number;
  readonly isAttached: boolean;
  /** What a supervisor may have been typing when it died: it is no draft of the user's. */
  readonly ownTexts?: () => readonly string[];
}): Attendance {
  const { driver, clock, attendedMs, ownTexts } = options;
  let { isAttached } = options;
  let typedAt = Number.NEGATIVE_INFINITY;
  return {
    get isAttached() {
      return isAttached;
    },
    note({ attached, typed, left }) {
      if (left === true) {
        isAttached = false;
        typedAt = Number.NEGATIVE_INFINITY;
        return;
      }
      if (attached === false && isAttached) typedAt = clock.now(); // the user was there until now
      isAttached = attached ?? isAttached;
      if (typed === true) typedAt = clock.now();
    },
    isAttended: (agent) => isAttached || clock.now() - typedAt < attendedMs || hasDraft(agent, driver, ownTexts?.()),
  };
}

/** What stands at the prompt of an agent at work may be the echo of what it was told. */
const hasDraft = (agent: FollowedAgent | undefined, driver: AgentDriver, ownTexts?: readonly string[]): boolean =>
  agent?.seen.state.activity === 'idle' && holdsDraft(agent, driver, ownTexts);

/** Whether one of these stands at its prompt, and was not sent. */
export function holdsText(agent: FollowedAgent, driver: AgentDriver, texts: readonly string[]): boolean {
  const view = agent.view();
  if (view === 'exited') return false;
  return texts.some((text) => {
    const { prompt, draft, dialog } = readInput(view, text, driver.input);
    return prompt === 'drawn' && draft === 'ours' && !dialog;
  });
}

/** Whether something stands at its prompt that was not sent, and is none of these. */
export function holdsDraft(
  agent: FollowedAgent | undefined,
  driver: AgentDriver,
  ownTexts: readonly string[] = [],
): boolean {
  const view = agent?.view();
  if (view === undefined || view === 'exited') return false;
  return ['', ...ownTexts].every((text) => {
    const { prompt, draft, dialog } = readInput(view, text, driver.input);
    return prompt === 'drawn' && draft === 'other' && !dialog;
  });
}
