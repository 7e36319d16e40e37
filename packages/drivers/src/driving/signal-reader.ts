import type { SignalMeaning } from '@devs/core';

/** A statement about the agent by a title, a screen, a status file or a hook. */
export interface Said {
  readonly says: SignalMeaning;
  readonly detail: string;
}

export const NOTHING_SAID: Said = { says: 'unknown', detail: 'nothing that is known' };
