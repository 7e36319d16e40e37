import { patienceEnds, pauseBetweenTries } from './retry-busy.js';
import type { Sql } from './sql.js';
import { isBusy } from './store-failure.js';

/** Far longer than a commit: who still waits then has a neighbour that leaves no pause. */
const POLITE_MS = 100;

interface Waiting {
  readonly since: number;
  readonly deadline: number;
  /** Returns a function that settles the caller after the commit. */
  work(): () => void;
  fail(error: unknown): void;
}

/**
 * Queues writers of a busy file in order of arrival: otherwise a later append could be stored first and the earlier
 * one refused. All waiting writers share one transaction, so a lease renewal waits for one transaction at most.
 * Without a queue, work runs at once. Work may change only the file, since it is repeated after a rollback.
 */
export function createWriteLane(sql: Pick<Sql, 'transaction'>): <T>(work: () => T) => Promise<T> {
  let waiting: readonly Waiting[] = [];

  async function workOff(): Promise<void> {
    while (waiting.length > 0) {
      await pauseBetweenTries({ isEager: isEager(waiting) });
      const stored = storeTogether(sql, waiting);
      if (stored.status === 'busy') dropImpatient(stored.error);
      else {
        waiting = waiting.slice(stored.count);
        stored.tell();
      }
    }
  }
  function dropImpatient(error: unknown): void {
    const now = performance.now();
    const isImpatient = ({ deadline }: Waiting) => deadline < now;
    for (const { fail } of waiting.filter(isImpatient)) fail(error);
    waiting = waiting.filter((one) => !isImpatient(one));
  }

  return <T>(work: () => T): Promise<T> => {
    if (waiting.length === 0) {
      try {
        return Promise.resolve(work());
      } catch (error) {
        if (!isBusy(error)) return Promise.reject(error);
      }
    }
    return new Promise<T>((resolve, reject) => {
      const isFirst = waiting.length === 0;
      const workForIt = () => {
        const result = work();
        return () => resolve(result);
      };
      waiting = [...waiting, { since: performance.now(), deadline: patienceEnds(), work: workForIt, fail: reject }];
      if (isFirst) void workOff();
    });
  };
}

type Stored =
  | { readonly status: 'busy'; readonly error: unknown }
  /** The first `count` of them are dealt with, and hear of it by `tell`. */
  | { readonly status: 'settled'; readonly count: number; tell(): void };

/** Stores all of them, or only the first if one fails: the others are repeated without it. */
function storeTogether(sql: Pick<Sql, 'transaction'>, all: readonly Waiting[]): Stored {
  try {
    const tells = sql.transaction(() => all.map(({ work }) => work()), { isEager: isEager(all) });
    return {
      status: 'settled',
      count: all.length,
      tell() {
        for (const tell of tells) tell();
      },
    };
  } catch (error) {
    if (isBusy(error)) return { status: 'busy', error };
    if (all.length > 1) return storeTogether(sql, all.slice(0, 1));
    return { status: 'settled', count: 1, tell: () => all[0]?.fail(error) };
  }
}

const isEager = ([first]: readonly Waiting[]): boolean =>
  first !== undefined && performance.now() - first.since > POLITE_MS;
