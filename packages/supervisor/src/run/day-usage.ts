import {
  addTotals,
  believed,
  type EventLog,
  eventOf,
  jsonOf,
  NO_TOTALS,
  type RunEvent,
  type RunTotals,
  runIdOf,
  type Snapshots,
} from '@devs/core';

type UsageCounted = Extract<RunEvent, { type: 'usage.counted' }>;

/** What all runs used today, by the clock of this machine. */
interface DayUsage {
  read(now: number): Promise<RunTotals>;
}

const PAGE = 1_000;
/** Maximum number of events to read again. */
const SAVE_EVERY = 500;

/** Where the log was read to is kept beside it, so that the first look does not begin at its beginning. */
export function createDayUsage(log: Pick<EventLog, 'read'>, snapshots: Snapshots): DayUsage {
  let [position, saved] = [0, 0];
  let day: string | undefined;
  let totals = NO_TOTALS;
  return {
    async read(now) {
      const today = new Date(now).toDateString();
      const name = nameFor(now);
      if (day === undefined) {
        const kept = await load(snapshots, name);
        ({ position, day, totals } = kept);
        saved = position;
      }
      if (today !== day) [day, totals] = [today, NO_TOTALS]; // what was read before is of another day
      for (;;) {
        const events = await log.read({ after: position, limit: PAGE });
        for (const event of events) {
          const isToday = event.type === 'usage.counted' && new Date(event.at).toDateString() === today;
          if (isToday && runIdOf(event.stream) !== undefined) totals = addTotals(totals, eventOf<UsageCounted>(event));
        }
        position = events.at(-1)?.position ?? position;
        if (events.length < PAGE) break;
      }
      if (position - saved >= SAVE_EVERY) {
        saved = position;
        const state = jsonOf({ day: today, totals });
        await snapshots.saveSnapshot(name, { position, state }).catch(() => {}); // a cache
      }
      return totals;
    },
  };
}

/** A day begins at another moment in another time zone. */
const nameFor = (now: number): string => `day-usage:${new Date(now).getTimezoneOffset()}`;

const NOTHING = { position: 0, day: '', totals: NO_TOTALS };

async function load(snapshots: Snapshots, name: string) {
  const snapshot = await snapshots.loadSnapshot(name);
  if (snapshot === undefined) return NOTHING;
  const state = believed<{ readonly day?: string; readonly totals?: RunTotals }>(snapshot.state);
  if (state.day === undefined || state.totals === undefined) return NOTHING;
  return { position: snapshot.position, day: state.day, totals: state.totals };
}
