import { setTimeout as pause } from 'node:timers/promises';
import { foldRun, isUnfinished, runEventOf, runStream, type Store } from '@devs/core';
import type { Caller, QueueOrder, RunOrder } from './port.js';

/** The name of a store whose address holds a password. */
export const STORE_VARIABLE = 'DEVS_STORE';

/** The keys of something whose supervisor and host are gone: they were in their memory alone. */
export interface MissingKeys {
  /** A caller with the keys is there. */
  provide(caller: Caller): void;
  /** The caller with all keys, or `undefined` without one. */
  found(): Promise<Caller | undefined>;
}

/** A `devs run` that waits comes back at once. */
const PATIENCE_MS = 10_000;

export function awaitKeys(caller: Caller, missing: readonly string[], patienceMs = PATIENCE_MS): MissingKeys {
  let provided: (caller: Caller) => void = () => {};
  const coming = new Promise<Caller>((resolve) => {
    provided = resolve;
  });
  return {
    provide({ environment }) {
      if (missing.every((name) => environment[name] !== undefined)) provided({ ...caller, environment });
    },
    async found() {
      if (missing.length === 0) return caller;
      const waiting = new AbortController();
      const nobody = pause(patienceMs, undefined, { signal: waiting.signal }).catch(() => undefined);
      return Promise.race([coming, nobody]).finally(() => waiting.abort());
    },
  };
}

/** If the address of its store was only in memory: with the caller's. */
export function withStoreOf<Order extends RunOrder | QueueOrder>(order: Order, caller: Caller | undefined): Order {
  if (order.store.kind !== 'redis' || order.store.url !== '') return order;
  const url = caller?.environment[STORE_VARIABLE];
  if (url === undefined) throw new Error(goneKeys([STORE_VARIABLE]));
  return { ...order, store: { kind: 'redis', url } };
}

export const goneKeys = (missing: readonly string[]): string =>
  `devs was restarted, and these were in its memory alone: ${missing.join(', ')}`;

const PAGE = 1_000;

/** Pauses a run with a question that names what is gone. */
export async function pauseForKeys(
  { log }: Pick<Store, 'log'>,
  run: string,
  missing: readonly string[],
  newId: () => string,
) {
  const stream = runStream(run);
  for (;;) {
    const events = [];
    for (;;) {
      const page = await log.read({ stream, after: events.at(-1)?.position ?? 0, limit: PAGE });
      events.push(...page);
      if (page.length < PAGE) break;
    }
    const facts = foldRun(run, events);
    if (!isUnfinished(facts) || facts.phase.kind === 'paused') return;
    const why = goneKeys(missing);
    const asking =
      facts.escalation === undefined
        ? [
            runEventOf({
              type: 'escalation.raised',
              escalationId: `q-${newId().replaceAll('-', '').slice(0, 6)}`,
              question: `The run needs ${missing.join(', ')} again. Continue it from a shell that has them: devs resume ${run}`,
              diagnosis: why,
            }),
          ]
        : [];
    const stored = await log.append(stream, events.length, [...asking, runEventOf({ type: 'run.paused', why })]);
    if (stored.status === 'appended') return;
  }
}
