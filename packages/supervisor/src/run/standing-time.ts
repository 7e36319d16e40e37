/** How long something has stayed as it is, in time that somebody looked at it: a machine that slept makes it no longer than a look. */
export interface StandingTime {
  /** `what` names the state, and differs when that does; `since` is when it began by its own account. */
  look(what: string, since: number, now: number): number;
}

export function createStandingTime(longestLookMs: number): StandingTime {
  let seen = { what: '', ms: 0, at: 0 };
  const within = (ms: number) => Math.min(Math.max(0, ms), longestLookMs);
  return {
    look(what, since, now) {
      const ms = what === seen.what ? seen.ms + within(now - seen.at) : within(now - since);
      seen = { what, ms, at: now };
      return ms;
    },
  };
}
