/** What it means that the model could not be asked. */
export type ModelTrouble =
  /** The conversation does not fit: it can be shortened. */
  | { readonly kind: 'overflow' }
  /** It may go on later by itself. */
  | { readonly kind: 'usage-limit'; readonly until?: number; readonly detail: string }
  | { readonly kind: 'network'; readonly detail: string }
  /** Only the user can go on: a wrong key, no such model. */
  | { readonly kind: 'refused'; readonly detail: string };

/** Pure: an error of any client, by its status and its words. */
export function troubleOf(error: unknown, now: number): ModelTrouble {
  const detail = error instanceof Error ? error.message : String(error);
  const status = numberIn(error, 'status');
  if (OVERFLOW.test(detail)) return { kind: 'overflow' };
  if (status === 429) {
    const wait = numberIn(error, 'retryAfterMs');
    return { kind: 'usage-limit', detail, ...(wait === undefined ? {} : { until: now + wait }) };
  }
  if (status === undefined || status >= 500 || status === 408) return { kind: 'network', detail };
  return { kind: 'refused', detail };
}

const OVERFLOW = /prompt is too long|context[ _]length|maximum context|context window/i;

/** Clients say more about an error than that it is one; each as it likes. */
function numberIn(error: unknown, name: string): number | undefined {
  const value = typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}
