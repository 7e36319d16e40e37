import { join } from 'node:path';
import { Command } from 'commander';
import { jsonOption, storeOption, wholeNumber } from '../program/options.js';
import type { Runs } from '../run/create-runs.js';
import type { Console } from '../screen/console.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, type StoreServices, withExistingStore } from '../store-access/with-store.js';
import { count } from '../words.js';
import { type ArchiveRequest, archiveRuns, findArchivable } from './archive-runs.js';

const MORE_HELP = `
Moves runs that are long over out of the store, into packed lines of JSON: the
events of the run and of its terminals. The store keeps one line about each, so
that tasks which depend on them still begin at their work. A run stays whose
work is not merged, or on which a task depends that is not done.

A file is read again before anything is removed. It holds what the log held:
keep it as private as the store. \`zstd -dc FILE\` or \`gzip -dc FILE\` shows it.

Examples:
  devs archive --dry-run
  devs archive --older-than 7 --to ~/archive
  devs archive --store redis://redis.example:6379`;

export interface ArchiveServices extends Console, StoreServices {
  readonly runs: Runs;
  /** How this process calls itself where it holds a lease. */
  readonly holderName: string;
}

interface ArchiveOptions extends StoreOptions {
  readonly olderThan: number;
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const DAY_MS = 86_400_000;

/** Makes room in the store. */
export function archiveCommand(services: ArchiveServices, done: (exitCode: number) => void): Command {
  return new Command('archive')
    .description('Move runs that are long over from the store to files')
    .option('--older-than <days>', 'since they ended', wholeNumber({ from: 0, to: 36_500 }), 30)
    .option('--to <folder>', 'where the files go; default: .devs/archive in the project')
    .option('--dry-run', 'only say which runs')
    .addOption(storeOption())
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ArchiveOptions>();
      const request: ArchiveRequest = {
        folder: options.to ?? join((await services.records.here()).root, '.devs', 'archive'),
        now: services.clock.now(),
        olderThanMs: options.olderThan * DAY_MS,
        dropWork: (run) => services.runs.dropWork(run),
      };
      const isJson = outputMode(options) === 'json';
      const lines = await withExistingStore(
        services,
        options,
        async (opened): Promise<readonly string[]> => {
          if (options.dryRun) {
            const runs = await findArchivable(opened, request);
            if (isJson) return [toJson({ runs: runs.map(({ id }) => id) })];
            return runs.length === 0 ? [NOTHING] : runs.map(({ id, plan }) => visible(`${id}  ${plan?.request ?? ''}`));
          }
          const archived = await archiveRuns(opened, services.holderName, request);
          if (isJson) return [toJson(archived)];
          if (archived.runs === 0) return [NOTHING];
          const moved = `Moved ${count(archived.runs, 'run')} with ${count(archived.events, 'event')} to:`;
          return [moved, ...archived.files.map((file) => `  ${visible(file)}`)];
        },
        () => [isJson ? toJson({ files: [], runs: 0, events: 0 }) : NOTHING],
      );
      for (const line of lines) services.print(line);
      done(0);
    });
}

const NOTHING = 'There is nothing to archive.';
