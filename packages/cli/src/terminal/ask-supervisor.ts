import type { Acted, TerminalOrder, TerminalStarted } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import type { StoreLocation } from '../store-access/store-location.js';
import type { AskedSupervisor } from '../supervise/asked-supervisor.js';
import type { RegisteredTerminal } from './names/terminal-registry.js';
import type { SupervisedWorld } from './terminal-world.js';

/** Has the supervisor do something with a terminal that runs. Rejects where that is not possible, with words for people. */
export async function askSupervisor<Result>(
  world: SupervisedWorld,
  name: string,
  work: (port: AskedSupervisor['terminals']) => Promise<Acted<Result>>,
): Promise<Result> {
  const first = await world.supervisor.once((port) => work(port.terminals));
  if (first.status === 'done') return first.result;
  if (first.status === 'of-run') {
    throw new CliError(
      `${name} works for run ${first.run}, which does that by itself. Stop the run with \`devs stop ${first.run}\`.`,
    );
  }
  const taken = await takeUp(world, name);
  if (taken.status !== 'started') throw notTakenUp(name, taken);
  const second = await world.supervisor.once((port) => work(port.terminals));
  if (second.status === 'done') return second.result;
  throw new CliError(`${name} ended in this moment. Continue its conversation with \`devs resume ${name}\`.`);
}

/** Has the supervisor hold a terminal that runs; nothing changes where it holds the terminal already. */
export async function takeUp(world: SupervisedWorld, name: string, window?: string): Promise<TerminalStarted> {
  const entry = world.registry.get(name);
  if (entry === undefined) return { status: 'unknown' };
  const order: TerminalOrder = {
    token: world.newId(),
    name,
    agent: entry.agent,
    folder: entry.folder,
    store: storeOf(world, entry),
    subject: { kind: 'take-up' },
    ...(window === undefined ? {} : { window }),
  };
  return world.supervisor.use((port) => port.terminals.start(order, world.caller));
}

/** Where the records of a terminal are. */
export function storeOf(
  { storeSetting }: Pick<SupervisedWorld, 'storeSetting'>,
  { name, store }: Pick<RegisteredTerminal, 'name' | 'store'>,
): StoreLocation {
  if (store.kind !== 'redis') return store;
  if (storeSetting?.kind === 'redis') return storeSetting;
  throw new CliError(`the records of "${name}" are in a Redis: name it with DEVS_STORE.`);
}

function notTakenUp(name: string, taken: Exclude<TerminalStarted, { status: 'started' }>): CliError {
  switch (taken.status) {
    case 'unknown':
      return new CliError(`"${name}" was not started by devs: it can be attached and stopped, no more.`);
    case 'taken':
    case 'not-running':
      return new CliError(`"${name}" does not run. Continue its conversation with \`devs resume ${name}\`.`);
    case 'refused':
      return new CliError(`"${name}" cannot be supervised: ${taken.reason}.`);
  }
}
