import { setTimeout as pause } from 'node:timers/promises';

/** Far longer than anything takes on a machine that does four other things: what is not so by then never will be. */
const LONGEST_MS = 150_000;
const EVERY_MS = 20;

/** Waits for a state, however busy the machine is. `never` tells what was there instead. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  never: () => string | Promise<string> = () => String(isTrue),
): Promise<void> {
  for (const deadline = performance.now() + LONGEST_MS; !(await isTrue()); await pause(EVERY_MS)) {
    if (performance.now() > deadline) throw new Error(`never: ${await never()}`);
  }
}
