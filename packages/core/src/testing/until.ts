import { setTimeout as pause } from 'node:timers/promises';

/** Far longer than anything takes on a machine with four other jobs: after this it will never happen. */
const MAX_MS = 150_000;
const EVERY_MS = 20;

/** Waits for a state, on a machine of any load. `never` describes what was there instead. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  never: () => string | Promise<string> = () => String(isTrue),
): Promise<void> {
  for (const deadline = performance.now() + MAX_MS; !(await isTrue()); await pause(EVERY_MS)) {
    if (performance.now() > deadline) throw new Error(`never: ${await never()}`);
  }
}
