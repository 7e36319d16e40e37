import type { OtherRequest, RecordedRequest } from './recorded-request.js';

export interface LogLimits {
  readonly requests: number;
  /** Of all bodies together, as they were sent. */
  readonly bytes: number;
}

const USUAL_LIMITS: LogLimits = { requests: 1_000, bytes: 64 * 1024 * 1024 };
const MAX_OTHERS = 1_000;

/** The newest requests. The oldest are forgotten where they are too many or too large; the newest is always there. */
export function createRequestLog({ requests: most, bytes: mostBytes }: LogLimits = USUAL_LIMITS) {
  const entries: { readonly request: RecordedRequest; readonly bytes: number }[] = [];
  const others: OtherRequest[] = [];
  let total = 0;
  return {
    add(request: RecordedRequest, bytes: number): void {
      entries.push({ request, bytes });
      total += bytes;
      while (entries.length > 1 && (entries.length > most || total > mostBytes)) total -= entries.shift()?.bytes ?? 0;
    },
    addOther(other: OtherRequest): void {
      others.push(other);
      if (others.length > MAX_OTHERS) others.shift();
    },
    requests: (): readonly RecordedRequest[] => entries.map(({ request }) => request),
    others: (): readonly OtherRequest[] => [...others],
  };
}
