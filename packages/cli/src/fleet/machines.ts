import { type Fleet, type ListedMachine, readMachines } from '@devs/core';
import { Command } from 'commander';
import { jsonOption, storeOption } from '../program/options.js';
import type { RunServices } from '../run/run-services.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { describeSpan } from '../time/describe-time.js';
import { count } from '../words.js';

const MAX_UNMET = 10;

/** The machines of a fleet for people, a line each. Pure. */
function renderMachines({ machines, unmet }: Fleet, now: number): readonly string[] {
  if (machines.length === 0) return ['No machine serves the queue. Start one: devs worker'];
  const width = Math.max(...machines.map(({ name }) => name.length));
  return [
    ...machines.map((machine) => visible(`${machine.name.padEnd(width)}  ${describeMachine(machine, now)}`)),
    ...unmet
      .slice(0, MAX_UNMET)
      .map(({ task, needs }) => visible(`${task} waits: no machine here has ${needs.join(' and ')}.`)),
    ...(unmet.length > MAX_UNMET ? [`${unmet.length - MAX_UNMET} more wait for machines with other labels.`] : []),
  ];
}

function describeMachine(machine: ListedMachine, now: number): string {
  const { state, slots, labels, agents, joinedAt, leftAt, heardAt, runs } = machine;
  const has = [...agents, ...labels].join(', ');
  const since = (at: number) => describeSpan(Math.max(0, now - at));
  const when =
    state === 'serving'
      ? `serves since ${since(joinedAt)}${heardAt === undefined ? '' : `, heard of ${since(heardAt)} ago`}`
      : state === 'left'
        ? `left ${since(leftAt ?? joinedAt)} ago`
        : `lost: last heard of ${since(heardAt ?? joinedAt)} ago`;
  const work = runs.map(({ id, task }) => (task === undefined ? id : `${task} (${id})`)).join(', ');
  return `${count(slots, 'slot')}  ${has}  ${when}${work === '' ? '' : `; has ${work}`}`;
}

const MORE_HELP = `
Shows each machine that serves the queue with \`devs worker\`: its slots, its
labels and agents, the tasks that it works on, and when it was last heard of.
Says which tasks wait for something that no machine has.

Examples:
  devs machines
  devs machines --json --store redis://redis.example:6379`;

interface MachinesOptions extends StoreOptions {
  readonly json?: boolean;
}

/** Shows who serves the queue. */
export function machinesCommand(services: RunServices, done: (exitCode: number) => void): Command {
  return new Command('machines')
    .description('Show the machines that serve the queue')
    .addOption(storeOption())
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<MachinesOptions>();
      const fleet = await withExistingStore(
        services,
        options,
        ({ store }) => readMachines(store, services.clock.now()),
        () => ({ machines: [], unmet: [] }),
      );
      if (outputMode(options) === 'json') services.print(toJson(fleet));
      else for (const line of renderMachines(fleet, services.clock.now())) services.print(line);
      done(0);
    });
}
