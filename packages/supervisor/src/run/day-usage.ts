import { addTotals, type EventLog, eventOf, NO_TOTALS, type RunEvent, type RunTotals, runIdOf } from '@devs/core';

type UsageCounted = Extract<RunEvent, { type: 'usage.counted' }>;

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
        for (const event of events) {
          const isToday = event.type === 'usage.counted' && new Date(event.at).toDateString() === today;
          if (isToday && runIdOf(event.stream) !== undefined) totals = addTotals(totals, eventOf<UsageCounted>(event));
        }
        position = events.at(-1)?.position ?? position;
        if (events.length < PAGE) return totals;
      }
    },
  };
}
