/** Nanoseconds for one call, the best of several samples: what the code costs when nothing else gets in its way. */
export function bestNanoseconds(work: () => void, { samples = 15, minimumMs = 20 } = {}): number {
  let calls = 1;
  let elapsed = time(work, calls);
  while (elapsed < minimumMs * 1e6) {
    calls = Math.max(calls * 2, Math.ceil((calls * minimumMs * 1e6) / Math.max(elapsed, 1)));
    elapsed = time(work, calls);
  }
  let best = elapsed / calls;
  for (let sample = 1; sample < samples; sample++) best = Math.min(best, time(work, calls) / calls);
  return best;
}

function time(work: () => void, calls: number): number {
  const started = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) work();
  return Number(process.hrtime.bigint() - started);
}

export const megabytesPerSecond = (characters: number, nanoseconds: number) => (characters / nanoseconds) * 1_000;
