import { collect, foldRun, readAll, runStream, type Store } from '@devs/core';
import type { RunEnd } from '../run/run.js';

/** How a run was paused after it was entrusted: it was stopped, and its holder died before reporting the end. */
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
