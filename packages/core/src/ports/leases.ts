/** Who holds a name, and until when. */
export interface NamedLease {
  readonly name: string;
  readonly by: string;
  /**
   * Higher than that of every earlier holder. The holder's writes elsewhere can carry it, so that older ones are
   * recognised.
   */
  readonly fence: number;
  /** Milliseconds since 1970, by the clock of the store: a server's own, or this machine's. */
  readonly until: number;
}

export interface LeaseRequest {
  /** As streams are named: `run:abc`. */
  readonly name: string;
  readonly by: string;
  readonly leaseMs: number;
}

/** The lease that the caller holds, by its number. */
export interface HeldLease {
  readonly name: string;
  readonly fence: number;
}

export type LeaseOutcome =
  | { readonly status: 'acquired'; readonly lease: NamedLease }
  | { readonly status: 'held'; readonly by: string; readonly until: number };

/**
 * Names held by one process at a time, such as a run by its supervisor, so that others see a live holder.
 *
 * Contract: a live lease is never taken away, not even by the same `by`: its holder keeps it by renewing. A lease that
 * is not renewed in time can be acquired by anyone, and so can the lease of a holder known to be gone, at any
 * time; until then its holder may still renew it. Leases produce no events.
 *
 * Every call may reject: with `StoreInputError` for bad input, with `StoreUnavailableError` or `StoreContendedError`
 * when the store cannot do it now, after its own retries. A rejected renewal says nothing about the lease: the holder
 * tries once more before `until`, and considers the lease lost after it. `false` is final: the holder has to stop.
 */
export interface Leases {
  acquire(request: LeaseRequest): Promise<LeaseOutcome>;
  /** Moves the end to `leaseMs` from now. `false`: another holder has taken it since, or it was released. */
  renew(held: HeldLease & { readonly leaseMs: number }): Promise<boolean>;
  /** Gives it back before its end. `false`: it was not the caller's any more. */
  release(held: HeldLease): Promise<boolean>;
  /** `undefined` if it is free or expired. */
  get(name: string): Promise<NamedLease | undefined>;
}
