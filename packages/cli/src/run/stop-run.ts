import { setTimeout as pause } from 'node:timers/promises';
import {
  collect,
  foldRun,
  holderOfRun,
  isUnfinished,
  type RunFacts,
  readAll,
  runEventOf,
  runStream,
  type Store,
} from '@devs/core';
import { CliError } from '../cli-error.js';
import { type StoreOptions, withStore } from '../store-access/with-store.js';
import type { RunServices } from './run-services.js';

export type StoppedRun = 'stopped' | 'was-not-running' | 'was-over';

/** Stops a run: through its supervisor, or without one by ending its agent. It can be continued later. */
export async function stopRun(run: RunFacts, options: StoreOptions, services: RunServices): Promise<StoppedRun> {
  if (!isUnfinished(run)) return 'was-over';
  const { terminal } = run.begun ?? {};
  if (await services.runs.askToStop(run.id)) return 'stopped';
  return withStore(services, options, async ({ store, backend }) => {
    const stream = runStream(run.id);
    const lease = await holderOfRun(store.leases, run.id);
    if (lease !== undefined && backend.isShared === true && (await stopElsewhere(store, run.id, services)))
      return 'stopped';
    if (lease !== undefined)
      throw new CliError(`${lease.by} supervises it and does not answer. Stop it there, or try again in a moment.`);
    // Its supervisor was killed; the agent may still be at work.
    const agent = terminal === undefined ? undefined : await services.terminals.stop(terminal).catch(() => undefined);
    for (;;) {
      const events = await collect(readAll(store.log, { stream }));
      if (foldRun(run.id, events).phase.kind !== 'begun') break;
      const paused = runEventOf({ type: 'run.paused', why: 'stopped with `devs stop`' });
      if ((await store.log.append(stream, events.length, [paused])).status === 'appended') break;
    }
    return agent?.wasRunning ? 'stopped' : 'was-not-running';
  });
}

/** Longer than a push of its work takes. */
const ELSEWHERE_MS = 60_000;
const LOOK_MS = 250;

/** On the machine that has it, which follows the events of the run. Whether it has stopped. */
async function stopElsewhere(store: Store, id: string, { clock, userName }: RunServices): Promise<boolean> {
  const stream = runStream(id);
  const asked = runEventOf({ type: 'stop.asked', by: userName });
  const deadline = clock.now() + ELSEWHERE_MS;
  let isAsked = false;
  while (clock.now() < deadline) {
    const events = await collect(readAll(store.log, { stream }));
    if (foldRun(id, events).phase.kind !== 'begun') return true;
    if (!isAsked) isAsked = (await store.log.append(stream, events.length, [asked])).status === 'appended';
    await pause(LOOK_MS);
  }
  return false;
}

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
