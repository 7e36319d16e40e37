import type { SignalMeaning } from '@devs/core';

/** What a title, a screen, a status file or a hook says of the agent. */
export interface Said {
  readonly says: SignalMeaning;
  readonly detail: string;
}

export const NOTHING_SAID: Said = { says: 'unknown', detail: 'nothing that is known' };
