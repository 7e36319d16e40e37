import type { RunParts } from './run.js';

const GRACE_MS = 2_000;

/** Ends what runs in the terminal of a run. Never rejects: with its host it is gone, too. */
export async function endTerminalOf(run: string, openHost: RunParts['openHost'], graceMs = GRACE_MS): Promise<void> {
  try {
    const host = await openHost();
    try {
      const isThere = (await host.list()).some(({ terminalId }) => terminalId === run);
      if (isThere) await host.end(run, { graceMs });
    } finally {
      host.close();
    }
  } catch {
    // nothing to end, or no host to end it
  }
}
