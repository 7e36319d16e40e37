/** Whether what is shown can be trusted, and as of when. */
export type Freshness =
  | { readonly kind: 'connecting' }
  /** Everything that was stored `ageMs` ago is shown. */
  | { readonly kind: 'live'; readonly ageMs: number }
  /** Nothing came for longer than the server is ever silent. */
  | { readonly kind: 'stale'; readonly ageMs: number }
  /** What is shown is of `ageMs` ago; a connection is tried. */
  | { readonly kind: 'lost'; readonly ageMs: number };

export interface Hearing {
  readonly isConnected: boolean;
  /** When something came last, if only a beat, after every log was read up to its end; missing before the first. */
  readonly confirmedAt?: number;
  /** Whether every log was read up to its end since the connection was made. */
  readonly isCaughtUp: boolean;
}

/** A beat comes every ten seconds; two missing ones are no delay of a busy machine. */
const SILENT_MS = 21_000;

/** Pure. */
export function freshnessOf({ isConnected, confirmedAt, isCaughtUp }: Hearing, now: number): Freshness {
  if (confirmedAt === undefined) return { kind: 'connecting' };
  const ageMs = Math.max(0, now - confirmedAt);
  if (!isConnected) return { kind: 'lost', ageMs };
  if (!isCaughtUp) return { kind: 'connecting' };
  return { kind: ageMs > SILENT_MS ? 'stale' : 'live', ageMs };
}
