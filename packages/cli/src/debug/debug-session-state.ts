import { dirname, join } from 'node:path';
import { buildMinimalState, emptySupervisorState } from '@devs/core';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import type { DebugServices } from './debug-services.js';

const MORE_HELP = `
For tools that cannot ask devs. A reader gets the old content or the new,
never half of one. Default: session-state.json under .devs/.

Example:
  devs debug session-state build/session-state.json`;

export function debugSessionStateCommand(services: DebugServices, done: (exitCode: number) => void): Command {
  return new Command('session-state')
    .description('Write the state to a file')
    .argument('[file]', 'where to write it')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (file: string | undefined, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const { records } = services;
      const path = file ?? join(dirname((await records.here()).file), 'session-state.json');
      const state = await withExistingStore(services, options, ({ store }) => store.state(), emptySupervisorState);
      const minimal = buildMinimalState(state);
      await records
        .sessionState(path)
        .save(minimal)
        .catch((cause: Error) => {
          throw new CliError(`cannot write "${visible(path)}": ${cause.message}. Name another file.`, { cause });
        });
      services.print(
        outputMode(options) === 'json' ? toJson({ file: path, state: minimal }) : `Written to ${visible(path)}.`,
      );
      done(0);
    });
}
