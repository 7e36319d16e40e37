import { describe, expect, it } from 'vitest';
import { delayBefore } from '../with-retries.js';

const POLICY = { retries: 4, firstDelayMs: 1_000, mostDelayMs: 5_000 };
const delay = (status: number | undefined, tries: number, retryAfterMs?: number, random = 1) =>
  delayBefore({ status, retryAfterMs, isUnreachable: false }, tries, POLICY, () => random);

describe('how long to wait before a model is asked again', () => {
  it('grows with each try up to a limit, and ends', () => {
    expect([0, 1, 2, 3, 4].map((tries) => delay(503, tries))).toEqual([1_000, 2_000, 4_000, 5_000, undefined]);
  });

  it('ends sooner for a server that is not there at all', () => {
    const unreachable = { status: undefined, retryAfterMs: undefined, isUnreachable: true };
    expect([0, 1, 2].map((tries) => delayBefore(unreachable, tries, POLICY, () => 1))).toEqual([
      1_000,
      2_000,
      undefined,
    ]);
  });

  it('is spread, so that many who failed together do not come back together', () => {
    expect([0, 0.5, 1].map((random) => delay(503, 0, undefined, random))).toEqual([500, 750, 1_000]);
  });

  it.each([400, 401, 403, 404, 422])('is nothing for status %i, which stays', (status) => {
    expect(delay(status, 0)).toBeUndefined();
  });

  it.each([undefined, 408, 409, 429, 500, 529])('is something for %s, which may pass', (status) => {
    expect(delay(status, 0)).toBe(1_000);
  });

  it("follows the provider's hint if it is short enough", () => {
    expect([delay(429, 0, 0), delay(429, 0, 4_000), delay(429, 0, 6_000)]).toEqual([0, 4_000, undefined]);
  });
});
