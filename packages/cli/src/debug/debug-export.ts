import { type DamagedEventError, readAll, readUndamaged, type Store, type StoredEvent } from '@devs/core';
import { Command } from 'commander';
import { CliError, UsageError } from '../cli-error.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { count } from '../words.js';
import type { DebugServices } from './debug-services.js';
import { EXPORT_HEADER, type ExportFooter, eventLine } from './record/export-format.js';
import { listAllTasks } from './record/list-all-tasks.js';

const MORE_HELP = `
From it \`devs debug import\` makes the same store again: the same positions,
versions, times and tasks. An existing file is not overwritten.

With --skip-damaged, events that cannot be read are left out; those behind them
move up, and no task is held after the import.

Examples:
  devs debug export backup.jsonl
  devs debug export saved.jsonl --skip-damaged
  devs debug export | gzip > backup.jsonl.gz`;

export function debugExportCommand(services: DebugServices, done: (exitCode: number) => void): Command {
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
        services.warn(`devs: left out the damaged event at position ${position} (${visible(stream)}).`);
      }
      done(0);
    });
}

type Source = Pick<Store, 'log' | 'tasks'>;

interface Exported {
  readonly events: number;
  /** What could not be read, and was left out. */
  readonly damaged: readonly DamagedEventError[];
}

/**
 * The whole log as lines of JSON, from which `restoreLog` makes the same store again. Where runs were archived, later events
 * move up.
 */
export async function* exportLog({ log, tasks }: Source): AsyncGenerator<string, Exported> {
  yield toJson(EXPORT_HEADER);
  let events = 0;
  const moveUp = closeGaps();
  for await (const event of readAll(log)) {
    yield toJson(eventLine(moveUp(event)));
    events++;
  }
  yield toJson({ events, leases: await leasesOf(tasks) } satisfies ExportFooter);
  return { events, damaged: [] };
}

/**
 * The same without unreadable events. Later events move up, in the log and in their streams: an export has no gaps.
 * Holders of tasks are left out too, since task records may be damaged as well: after the import no task is held.
 */
export async function* exportUndamaged({ log }: Pick<Source, 'log'>): AsyncGenerator<string, Exported> {
  yield toJson(EXPORT_HEADER);
  const damaged: DamagedEventError[] = [];
  const moveUp = closeGaps();
  let events = 0;
  for await (const event of readUndamaged(log, (found) => damaged.push(found))) {
    yield toJson(eventLine(moveUp(event)));
    events++;
  }
  yield toJson({ events, leases: [] } satisfies ExportFooter);
  return { events, damaged };
}

/** Numbers events anew, in the log and in their streams. */
function closeGaps(): (event: StoredEvent) => StoredEvent {
  const versions = new Map<string, number>();
  let position = 0;
  return (event) => {
    const version = (versions.get(event.stream) ?? 0) + 1;
    versions.set(event.stream, version);
    return { ...event, position: ++position, version };
  };
}

async function leasesOf(tasks: Source['tasks']): Promise<ExportFooter['leases']> {
  const held = await listAllTasks(tasks, { statuses: ['in_progress'] });
  return held
    .flatMap(({ id, fence, lease }) => (lease === undefined ? [] : [{ task: id, fence, until: lease.until }]))
    .sort((a, b) => (a.task < b.task ? -1 : 1));
}
