/** How soon output may be sent on: what comes now and then at once, a stream in larger parts. */
export interface Pacer {
  /** How long the next part has to wait; 0: it may be sent now. */
  waitMs(now: number): number;
  sent(now: number): void;
}

/** Up to `burst` parts one after another, then one every `everyMs`. Pure but for what it counts. */
export function createPacer({ burst, everyMs }: { readonly burst: number; everyMs(now: number): number }): Pacer {
  /** When a stream that keeps the pace would be allowed its next part. */
  let due = Number.NEGATIVE_INFINITY;
  return {
    waitMs: (now) => Math.max(0, due - now - (burst - 1) * everyMs(now)),
    sent(now) {
      due = Math.max(due, now) + everyMs(now);
    },
  };
}
