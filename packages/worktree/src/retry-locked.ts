import { setTimeout as sleep } from 'node:timers/promises';
import type { NotRead } from './locate-worktree.js';

const PAUSES_MS = [20, 50, 100, 200, 400, 800, 1_600];

/** Does it again while another git is in the middle of its work: that of the user, or of an agent, waits for no lock of ours. */
export async function retryLocked<T extends { readonly outcome: string }>(
  work: () => Promise<T | NotRead>,
): Promise<T | NotRead> {
  for (const ms of PAUSES_MS) {
    const done = await work();
    if (done.outcome !== 'failed' || !('message' in done) || !isMomentary(done.message)) return done;
    await sleep(ms);
  }
  return work();
}

/** Whether git met a file that another git holds or has half written. Pure. */
export const isMomentary = (message: string): boolean => MOMENTARY.some((sign) => sign.test(message));

const MOMENTARY: readonly RegExp[] = [
  /\.lock': File exists/,
  /could not lock config file .*: File exists/,
  /failed to read .*worktrees\/.*\/(?:commondir|gitdir|HEAD)/,
  /cannot lock ref .*: Unable to create/,
  /Another git process seems to be running/i,
];
