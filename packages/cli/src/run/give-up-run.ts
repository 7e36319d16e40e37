import { collect, foldRun, isUnfinished, readAll, runEventOf, runStream, type Store } from '@devs/core';

/** Ends a run for good, where it is not over already. What it made stays. */
export async function giveUpRun({ log }: Pick<Store, 'log'>, id: string, detail: string): Promise<void> {
  const stream = runStream(id);
  for (;;) {
    const events = await collect(readAll(log, { stream }));
    if (!isUnfinished(foldRun(id, events))) return;
    const finished = runEventOf({ type: 'run.finished', outcome: 'given-up', detail });
    if ((await log.append(stream, events.length, [finished])).status === 'appended') return;
  }
}
