/** How much of a transcript a hook reads. `in-time`: everything, unless that takes too long. */
export type ReadingPlan =
  | { readonly kind: 'whole' }
  | { readonly kind: 'in-time' }
  | { readonly kind: 'end'; readonly lastBytes: number };

interface ReadingSoFar {
  /** By the agent. */
  readonly isWaitedFor: boolean;
  readonly bytes: number;
  /** What no earlier hook has read. */
  readonly unreadBytes: number;
  /** Since the hook began. */
  readonly elapsedMs: number;
}

/**
 * Everything, where that leaves enough of the two seconds for the document; otherwise only the end, for a shorter one. To
 * build a document takes two to three times as long as the hook took to start, however busy the machine is.
 */
export function planReading({ isWaitedFor, bytes, unreadBytes, elapsedMs }: ReadingSoFar): ReadingPlan {
  if (bytes <= SHORT_END_BYTES) return { kind: 'whole' };
  if (!isWaitedFor) return { kind: 'in-time' };
  if (elapsedMs > LATE_START_MS) return { kind: 'end', lastBytes: SHORT_END_BYTES };
  return unreadBytes > MAX_UNREAD_BYTES ? { kind: 'end', lastBytes: END_BYTES } : { kind: 'in-time' };
}

/** Whether a document of everything would come too late, now that everything is read. */
export const isLateForAll = (elapsedMs: number): boolean => elapsedMs > LATE_END_MS;

/** How much of the end a document can be made of in the time that is left. */
export const endAfter = (elapsedMs: number): number => (isLateForAll(elapsedMs) ? SHORT_END_BYTES : END_BYTES);

/** The moment at which reading everything is given up. */
export const READ_UNTIL_MS = 700;

const LATE_START_MS = 500;
const LATE_END_MS = 750;
/** So much is read and folded in a third of a second. */
const MAX_UNREAD_BYTES = 12 << 20;
/** The newest request and the agent's last steps are in it. */
const END_BYTES = 1 << 20;
const SHORT_END_BYTES = 128 << 10;
