import { Command } from 'commander';
import type { Services } from '../compose.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { readMachines } from './read-machines.js';
import { renderMachines } from './render-machines.js';

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
export function machinesCommand(services: Services, done: (exitCode: number) => void): Command {
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
