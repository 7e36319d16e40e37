import { collect, foldRun, readAll, runStream, type Store } from '@devs/core';
import type { RunEnd, RunParts } from '../run/run.js';

const GRACE_MS = 2_000;

/** How a run was paused after it was entrusted: it was stopped, and whoever had it died before he could say that it is over. */
export async function pausedSince(
  { log }: Pick<Store, 'log'>,
  { id, after }: { readonly id: string; readonly after?: number },
): Promise<RunEnd | undefined> {
  if (after === undefined) return undefined;
  const events = await collect(readAll(log, { stream: runStream(id) }));
  const { phase, escalation } = foldRun(id, events);
  if (phase.kind !== 'paused' || events.findLastIndex(({ type }) => type === 'run.paused') < after) return undefined;
  const asked = escalation === undefined || escalation.answer !== undefined ? {} : { escalation };
  return { status: 'paused', why: phase.why, ...asked };
}

/** Ends what runs in the terminal of a run that nobody supervises. Never rejects: with its host it is gone, too. */
export async function endTerminalOf(run: string, openHost: RunParts['openHost']): Promise<void> {
  try {
    const host = await openHost();
    try {
      const isThere = (await host.list()).some(({ terminalId }) => terminalId === run);
      if (isThere) await host.end(run, { graceMs: GRACE_MS });
    } finally {
      host.close();
    }
  } catch {
    // nothing is left to be ended, or nobody to end it
  }
}
