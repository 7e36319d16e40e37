import { readRuns } from '@devs/core';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { jsonOption, storeOption } from '../program/options.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { findRun } from './find-run.js';
import { projectOfRun, sayPicked } from './other-project.js';
import type { RunServices } from './run-services.js';

const MORE_HELP = `
Since the run began, committed or not. Without RUN: the newest.

Examples:
  devs diff
  devs diff run-3f9c | less`;

/** Shows the changes of a run. */
export function diffCommand(services: RunServices, done: (exitCode: number) => void): Command {
  return new Command('diff')
    .description('Show what a run changed')
    .argument('[run]', 'its id, or the beginning of it')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string | undefined, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const elsewhere = await projectOfRun(wanted, options, services);
      if (elsewhere !== undefined) {
        const picked = findRun(elsewhere.runs, wanted);
        if (wanted === undefined) sayPicked(picked, services, elsewhere.root);
        return done(
          await services.runIn(elsewhere.root, ['diff', picked.id, ...(options.json === true ? ['--json'] : [])]),
        );
      }
      const run = findRun(await withExistingStore(services, options, readRuns, () => []), wanted);
      if (wanted === undefined) sayPicked(run, services);
      const printed = await services.runs.diff(run);
      if (printed.outcome !== 'printed') throw new CliError(`git cannot tell: ${printed.outcome}.`);
      const lines = printed.text.trimEnd();
      if (options.json === true) services.print(toJson({ run: run.id, patch: printed.text }));
      else if (lines === '') services.warn('devs: it changed nothing.');
      else services.print(services.isTerminal ? lines.split('\n').map(visible).join('\n') : lines);
      done(0);
    });
}
