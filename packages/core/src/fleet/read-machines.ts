import type { Store } from '../event-log/open-store.js';
import { readAll } from '../event-log/read-log.js';
import type { TaskRecord } from '../ports/task-queue.js';
import { createRunReader } from '../run/records/read-runs.js';
import { addMachineEvent, type KnownMachine, MACHINES_STREAM, machineLease } from './machine-event.js';
import { type UnmetNeed, unmetNeeds } from './unmet-needs.js';

type MachineState = 'serving' | 'left' | 'lost';

export interface ListedMachine extends KnownMachine {
  /** `lost`: it is not heard of any more, and has not said that it leaves. */
  readonly state: MachineState;
  /** By the clock of the store. */
  readonly aliveUntil?: number;
  /** When it was last heard of. */
  readonly heardAt?: number;
  /** What it works on. */
  readonly runs: readonly { readonly id: string; readonly task?: string }[];
}

export interface Fleet {
  readonly machines: readonly ListedMachine[];
  /** Tasks that no serving machine can begin. */
  readonly unmet: readonly UnmetNeed[];
}

/** Lost and left machines are shown so long. */
const REMEMBERED_MS = 24 * 3_600_000;
const MAX_TASKS = 1_000;

/** Who serves the queue of a store, by its records. */
export async function readMachines(
  store: Pick<Store, 'log' | 'leases' | 'tasks' | 'snapshots'>,
  now: number,
): Promise<Fleet> {
  let known: ReadonlyMap<string, KnownMachine> = new Map();
  for await (const event of readAll(store.log, { stream: MACHINES_STREAM })) known = addMachineEvent(known, event);
  const { runs: all } = await createRunReader(store).read();
  const machines: ListedMachine[] = [];
  for (const machine of known.values()) {
    const { name, lostAfterMs } = machine;
    const lease = await store.leases.get(machineLease(name));
    const held = all.filter((run) => run.held?.machine === name);
    const runs = held
      .filter((run) => run.phase.kind === 'begun' || run.phase.kind === 'prepared')
      .map(({ id, plan }) => ({ id, ...(plan?.task === undefined ? {} : { task: plan.task.id }) }));
    if (lease !== undefined) {
      const heard = lostAfterMs === undefined ? {} : { heardAt: lease.until - lostAfterMs };
      machines.push({ ...machine, state: 'serving', aliveUntil: lease.until, ...heard, runs });
    } else if (now - (machine.leftAt ?? machine.joinedAt) < REMEMBERED_MS) {
      const heardAt = Math.max(machine.joinedAt, ...held.map(({ lastEventAt = 0 }) => lastEventAt));
      machines.push({ ...machine, state: machine.leftAt === undefined ? 'lost' : 'left', heardAt, runs });
    }
  }
  const startable: readonly TaskRecord[] = await store.tasks.startable(MAX_TASKS);
  const serving = machines.filter(({ state }) => state === 'serving');
  return { machines, unmet: serving.length === 0 ? [] : unmetNeeds(startable, serving) };
}
