import { addRunFact, type EventLog, isUnfinished, noRunFacts, type RunFacts, runIdOf } from '@devs/core';

/** All runs that a supervisor prepared, for repeated lookups: each event is read once. */
export interface RunIndex {
  /** The oldest first. */
  read(): Promise<readonly RunFacts[]>;
  /** The newest unfinished run of a task. */
  findOf(taskId: string): Promise<RunFacts | undefined>;
}

const PAGE = 1_000;

export function createRunIndex(log: Pick<EventLog, 'read'>): RunIndex {
  const runs = new Map<string, RunFacts>();
  let after = 0;
  let reading: Promise<unknown> = Promise.resolve();
  const catchUp = async () => {
    for (;;) {
      const events = await log.read({ after, limit: PAGE });
      for (const event of events) {
        const id = runIdOf(event.stream);
        if (id !== undefined) runs.set(id, addRunFact(runs.get(id) ?? noRunFacts(id), event));
      }
      after = events.at(-1)?.position ?? after;
      if (events.length < PAGE) return;
    }
  };
  const read = async () => {
    const turn = reading.then(catchUp);
    reading = turn.catch(() => {});
    await turn;
    return [...runs.values()].filter(({ plan }) => plan !== undefined);
  };
  return {
    read,
    findOf: async (taskId) => (await read()).findLast((run) => run.plan?.task?.id === taskId && isUnfinished(run)),
  };
}
