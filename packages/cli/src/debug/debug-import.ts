import type { OpenedStore } from '@devs/core';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { type StoreOptions, withStore } from '../store-access/with-store.js';
import { count, grouped } from '../words.js';
import type { DebugServices } from './debug-services.js';
import { readExport } from './record/read-export.js';
import { restoreLog } from './record/restore-log.js';

const INTERRUPTED = 130;

const MORE_HELP = `
Only into a store that is empty. The whole file is checked before anything is
stored.

Examples:
  devs debug import backup.jsonl
  devs debug import backup.jsonl --store sqlite:restored.db`;

export function debugImportCommand(services: DebugServices, done: (exitCode: number) => void): Command {
  return new Command('import')
    .description('Make a store again from an export')
    .argument('<file>', 'what `devs debug export` has written')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (file: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const total = await countEvents(file, services);
      const events = await withStore(services, options, (opened) => restore(file, opened, services));
      if (outputMode(options) === 'json') services.print(toJson({ file, events, total }));
      else services.print(`${count(events, 'event')} stored.`);
      if (events < total)
        services.warn(`devs: interrupted; ${grouped(total - events)} of ${grouped(total)} are missing. ${AGAIN}`);
      done(events < total ? INTERRUPTED : 0);
    });
}

const AGAIN = 'Import it again into a new store: --store sqlite:FILE';

/** The first pass: the export is whole and nothing in it is wrong. */
async function countEvents(file: string, { readLines }: DebugServices): Promise<number> {
  let total = 0;
  for await (const part of readExport(readLines(file))) if (part.kind === 'event') total++;
  return total;
}

async function restore(file: string, { backend }: OpenedStore, services: DebugServices): Promise<number> {
  const [present] = await backend.read({ after: 0, limit: 1 });
  if (present !== undefined) {
    throw new CliError(
      'the store is not empty, and an import would mix two histories. Name a new one: --store sqlite:FILE',
    );
  }
  return services.untilInterrupted((signal) =>
    restoreLog(readExport(services.readLines(file)), { backend, newId: services.newId, signal }),
  );
}
