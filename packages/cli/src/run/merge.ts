import { isUnfinished, readRuns } from '@devs/core';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { type StoreOptions, withStore } from '../store-access/with-store.js';
import { findRun } from './find-run.js';
import { mergeRun, removeMergedWorktree, tellMerge } from './merge-run.js';
import { projectOfRun, sayPicked } from './other-project.js';
import type { RunServices } from './run-services.js';

const MORE_HELP = `
Into the branch that is checked out here, where nothing of yours can be lost by
it and its checks passed. Without RUN: the newest.

Examples:
  devs merge
  devs merge run-3f9c

Exit codes: 0 merged, 1 not, and it says why.`;

/** Brings the work of a run to the branch of the user. */
export function mergeCommand(services: RunServices, done: (exitCode: number) => void): Command {
  return new Command('merge')
    .description('Bring the work of a run to your branch')
    .argument('[run]', 'its id, or the beginning of it')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string | undefined, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      // Without a named run, only this project is meant.
      const elsewhere = wanted === undefined ? undefined : await projectOfRun(wanted, options, services);
      if (elsewhere !== undefined)
        return done(
          await services.runIn(elsewhere.root, [
            'merge',
            findRun(elsewhere.runs, wanted).id,
            ...(options.json === true ? ['--json'] : []),
          ]),
        );
      const isMerged = await withStore(services, options, async (opened) => {
        const run = findRun(await readRuns(opened), wanted);
        if (wanted === undefined) sayPicked(run, services);
        if (isUnfinished(run))
          throw new CliError(`run ${run.id} is not over. Wait for it, or stop it: devs stop ${run.id}`);
        const merge = await mergeRun(run.id, { store: opened.store, runs: services.runs });
        tellMerge(run.id, merge, { mode: outputMode(options) }, services);
        if (merge.isMerged) await removeMergedWorktree(run.id, services);
        return merge.isMerged;
      });
      done(isMerged ? 0 : 1);
    });
}
