/** Who holds a name, and until when. */
export interface NamedLease {
  readonly name: string;
  readonly by: string;
  /** Higher than that of every holder before. What the holder writes elsewhere can carry it, to be told from older ones. */
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
 * Names that one process at a time holds, such as a run by its supervisor, so that others see that somebody alive is there.
 *
 * Contract: a live lease is never taken away, not even by the same `by`: who wants to keep it renews it. One that is not
 * renewed in time can be acquired by anyone, and so can the lease of a holder who is known to be gone, whatever the clock says;
 * until somebody does, its holder may still renew it. Nothing of this is an event.
 *
 * Every call may reject: with `StoreInputError` for bad input, with `StoreUnavailableError` or `StoreContendedError` when the
 * store cannot do it now, after it has tried again by itself. A rejected renewal says nothing about the lease: the holder tries
 * once more before `until`, and takes the lease for lost after it. `false` is final: the holder has to stop.
 */
export interface Leases {
  acquire(request: LeaseRequest): Promise<LeaseOutcome>;
  /** Moves the end to `leaseMs` from now. `false`: somebody else has taken it since, or it was released. */
  renew(held: HeldLease & { readonly leaseMs: number }): Promise<boolean>;
  /** Gives it back before its end. `false`: it was not the caller's any more. */
  release(held: HeldLease): Promise<boolean>;
  /** `undefined` where nobody holds it, or the clock says that its end has passed. */
  get(name: string): Promise<NamedLease | undefined>;
}
