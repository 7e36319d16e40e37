import type { NewEvent, StoredEvent } from '../ports/event-log.js';

/** All machines that serve the queue of a store, as they come and leave. */
export const MACHINES_STREAM = 'fleet:machines';

/** A machine that serves keeps this lease; without it the machine is gone. */
export const machineLease = (name: string): string => `machine:${name}`;

/** What a machine says of itself when it begins to serve. */
export interface MachineFacts {
  readonly name: string;
  readonly slots: number;
  readonly labels: readonly string[];
  readonly agents: readonly string[];
  readonly version: string;
  /** Without news for so long it counts as lost. */
  readonly lostAfterMs?: number;
}

/** A machine by its records; whether it lives is said by its lease. */
export interface KnownMachine extends MachineFacts {
  readonly joinedAt: number;
  /** When it left by itself. */
  readonly leftAt?: number;
}

export const machineJoined = ({ name, slots, labels, agents, version, lostAfterMs }: MachineFacts): NewEvent => ({
  type: 'machine.joined',
  data: {
    name,
    slots,
    labels: [...labels],
    agents: [...agents],
    version,
    ...(lostAfterMs === undefined ? {} : { lostAfterMs }),
  },
});

export const machineLeft = (name: string): NewEvent => ({ type: 'machine.left', data: { name } });

/** The machines that an event leaves known. Pure. */
export function addMachineEvent(
  machines: ReadonlyMap<string, KnownMachine>,
  { type, data, at }: Pick<StoredEvent, 'type' | 'data' | 'at'>,
): ReadonlyMap<string, KnownMachine> {
  const { name } = data;
  if (typeof name !== 'string') return machines;
  const known = machines.get(name);
  if (type === 'machine.left' && known !== undefined) return new Map([...machines, [name, { ...known, leftAt: at }]]);
  if (type !== 'machine.joined') return machines;
  const joined: KnownMachine = {
    name,
    slots: typeof data.slots === 'number' ? data.slots : 1,
    labels: texts(data.labels),
    agents: texts(data.agents),
    version: typeof data.version === 'string' ? data.version : '',
    joinedAt: at,
    ...(typeof data.lostAfterMs === 'number' ? { lostAfterMs: data.lostAfterMs } : {}),
  };
  return new Map([...machines, [name, joined]]);
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
