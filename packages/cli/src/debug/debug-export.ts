import { Command } from 'commander';
import { CliError, UsageError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { count } from '../words.js';
import { exportLog, exportUndamaged } from './record/export-log.js';

const MORE_HELP = `
From it \`devs debug import\` makes the same store again: the same positions,
versions, times and tasks. An existing file is not overwritten.

With --skip-damaged, events that cannot be read are left out; those behind them
move up, and no task is held after the import.

Examples:
  devs debug export backup.jsonl
  devs debug export saved.jsonl --skip-damaged
  devs debug export | gzip > backup.jsonl.gz`;

export function debugExportCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('export')
    .description('Write the whole log as lines of JSON')
    .argument('[file]', 'the file to write; stdout where it is left out or `-`')
    .option('--skip-damaged', 'leave out events that cannot be read')
    .addOption(storeOption())
    .addOption(jsonOption('say as one JSON object what was written; needs a file'))
    .addHelpText('after', MORE_HELP)
    .action(async (file: string | undefined, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean; skipDamaged?: boolean }>();
      const path = file === '-' ? undefined : file;
      const isJson = outputMode(options) === 'json';
      if (isJson && path === undefined)
        throw new UsageError('the export is JSON already. Name a file, or leave out --json.');
      const exported = await withExistingStore(
        services,
        options,
        ({ store }) => services.writeLines(path, options.skipDamaged ? exportUndamaged(store) : exportLog(store)),
        () => undefined,
      );
      if (exported === undefined) throw new CliError('there is nothing to export: no store has been made here yet.');
      const { events } = exported;
      const damaged = exported.damaged.map(({ position, stream }) => ({ position, stream }));
      if (path !== undefined) {
        services.print(
          isJson
            ? toJson({ file: path, events, ...(options.skipDamaged && { damaged }) })
            : `${count(events, 'event')} written to ${visible(path)}.`,
        );
      }
      for (const { position, stream } of isJson ? [] : damaged) {
        services.complain(`devs: left out the damaged event at position ${position} (${visible(stream)}).`);
      }
      done(0);
    });
}
