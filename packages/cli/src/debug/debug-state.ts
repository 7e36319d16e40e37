import { emptySupervisorState } from '@devs/core';
import { Command } from 'commander';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import type { DebugServices } from './debug-services.js';

const MORE_HELP = `
The state is a fold of the log; prompts are made from it. Always JSON.

Example:
  devs debug state`;

export function debugStateCommand(services: DebugServices, done: (exitCode: number) => void): Command {
  return new Command('state')
    .description('Print what the supervisor knows')
    .addOption(storeOption())
    .addOption(jsonOption('on one line'))
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const state = await withExistingStore(services, options, ({ store }) => store.state(), emptySupervisorState);
      services.print(outputMode(options) === 'json' ? toJson(state) : toJson(state, 2));
      done(0);
    });
}
