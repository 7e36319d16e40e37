/** How long something has stayed the same while observed: a machine that slept adds no more than one look. */
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
