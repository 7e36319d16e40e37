import { addTotals, type EventLog, NO_TOTALS, type RunTotals, runIdOf, type Spent } from '@devs/core';

/** What all runs used today, by the clock of this machine. */
export interface DayUsage {
  read(now: number): Promise<RunTotals>;
}

const PAGE = 1_000;

export function createDayUsage(log: Pick<EventLog, 'read'>): DayUsage {
  let position = 0;
  let day = '';
  let totals = NO_TOTALS;
  return {
    async read(now) {
      const today = new Date(now).toDateString();
      if (today !== day) [day, totals] = [today, NO_TOTALS]; // what was read before is of another day
      for (;;) {
        const events = await log.read({ after: position, limit: PAGE });
        for (const { type, stream, at, data } of events) {
          const isToday = type === 'usage.counted' && new Date(at).toDateString() === today;
          if (isToday && runIdOf(stream) !== undefined) totals = addTotals(totals, data as unknown as Spent);
        }
        position = events.at(-1)?.position ?? position;
        if (events.length < PAGE) return totals;
      }
    },
  };
}
