import { dirname } from 'node:path';
import { Command } from 'commander';
import { CliError, UsageError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { outputMode } from '../output-mode.js';
import { surveyStore } from '../overview/survey.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import type { ProjectPlace } from '../store-access/records.js';
import { describeStoreLocation, type StoreLocation } from '../store-access/store-location.js';
import { chooseStore, type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { describeCounts } from '../tasks/describe-counts.js';
import { jsonOption, storeOption } from './options.js';

const MORE_HELP = `
Removes the files in which devs keeps what it knows of this project, after it
has said which. There is no way back: \`devs debug export FILE\` makes a copy.

Examples:
  devs purge
  devs purge --yes`;

interface PurgeOptions extends StoreOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function purgeCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('purge')
    .description('Remove everything devs has stored for this project')
    .option('--yes', 'without asking')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<PurgeOptions>();
      const place = await placeOf(chooseStore(options, services), services);
      const files = await services.records.filesOf(place);
      const isJson = outputMode(options) === 'json';
      if (files.length > 0) services.complain(await announcement(files, options, services));
      const answer = options.yes || files.length === 0 ? 'yes' : await services.confirm('Remove all of it for good?');
      if (answer === 'cannot-ask')
        throw new UsageError('nothing was removed. Give --yes to have it done without being asked.');
      if (answer === 'yes') await services.records.purge(place);
      const removed = answer === 'yes' ? files : [];
      const sentence =
        files.length === 0 ? 'There is nothing to remove.' : answer === 'yes' ? 'Removed.' : 'Nothing was removed.';
      services.print(isJson ? toJson({ removed }) : sentence);
      done(answer === 'yes' ? 0 : 1);
    });
}

async function placeOf(location: StoreLocation, { records }: Services): Promise<ProjectPlace> {
  if (location.kind === 'project') return records.here();
  if (location.kind === 'sqlite') return { root: dirname(location.file), file: location.file };
  throw new CliError(
    `devs removes files, and this store is ${describeStoreLocation(location)}. Remove its keys with redis-cli, all that begin with its prefix.`,
  );
}

/**
 * Told before it is asked. A file that was named must be a store, lest something else is removed; the project's own goes
 * even where it can no longer be read.
 */
async function announcement(files: readonly string[], options: PurgeOptions, services: Services): Promise<string> {
  const isNamed = chooseStore(options, services).kind !== 'project';
  const held = await withExistingStore(
    services,
    options,
    async ({ store }) => surveyStore(store),
    () => undefined,
  ).catch((error: unknown) => {
    if (isNamed) throw error;
    return undefined;
  });
  return [
    'This will be removed:',
    ...files.map((file) => `  ${visible(file)}`),
    ...(held === undefined ? [] : [`It holds ${describeCounts(held.counts)}.`]),
    ...((held?.counts.in_progress ?? 0) > 0 ? ['Somebody is at work: end their processes first.'] : []),
  ].join('\n');
}
