import { Command } from 'commander';
import { CliError, UsageError } from '../cli-error.js';
import { surveyStore } from '../overview/survey.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { chooseStore, type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { describeCounts } from '../task/status-words.js';
import type { PurgeServices } from './purge-services.js';
import { purgeWorktrees, whatStays } from './purge-worktrees.js';

const MORE_HELP = `
Removes the files in which devs keeps what it knows of this project, or the keys
of the Redis that --store names, what the agents in its terminals printed, the
conversations of the built-in agent in it, what hooks keep of conversations, and
the work trees of its runs, after it has said which. A work tree with anything
in it that is not committed or not merged into your branch stays, and is named.
There is no way back: \`devs debug export FILE\` makes a copy of the records.

Examples:
  devs purge
  devs purge --yes
  devs purge --worktrees
  devs purge --store redis://localhost:6379`;

interface PurgeOptions extends StoreOptions {
  readonly yes?: boolean;
  readonly worktrees?: boolean;
  readonly json?: boolean;
}

export function purgeCommand(services: PurgeServices, done: (exitCode: number) => void): Command {
  return new Command('purge')
    .description('Remove everything devs has stored for this project')
    .option('--worktrees', 'only the work trees of runs that are over')
    .option('--yes', 'without asking')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<PurgeOptions>();
      if (options.worktrees) return done(await purgeWorktrees(options, services));
      const location = chooseStore(options, services);
      const terminals = await services.terminals.holdingsOf(location);
      if (terminals.running.length > 0) throw new CliError(stopFirst(terminals.running));
      const outputs = terminals.ended.flatMap(({ folders }) => folders);
      const worktrees = location.kind === 'project' ? await services.runs.worktrees() : [];
      const conversations = location.kind === 'project' ? await services.conversations.kept() : [];
      const removable = worktrees.filter(({ holds }) => holds === undefined);
      const kept = worktrees.flatMap(({ top, holds }) => (holds === undefined ? [] : [{ path: top, why: holds }]));
      const holdings = [
        ...(await services.records.holdingsOf(location)),
        ...outputs,
        ...conversations,
        ...removable.map(({ top }) => top),
      ];
      if (kept.length > 0) services.warn(whatStays(kept));
      const isJson = outputMode(options) === 'json';
      if (holdings.length > 0) services.warn(await announcement(holdings, options, services));
      const answer =
        options.yes || holdings.length === 0 ? 'yes' : await services.confirm('Remove all of it for good?');
      if (answer === 'cannot-ask')
        throw new UsageError('nothing was removed. Give --yes to have it done without being asked.');
      if (answer === 'yes') {
        await services.terminals.purge(terminals.ended.map(({ name }) => name));
        if (conversations.length > 0) await services.conversations.forget(conversations);
        for (const { runId, top } of removable) {
          const removal = await services.runs.removeWorktree(runId);
          if (removal.outcome === 'refused') services.warn(whatStays([{ path: top, why: removal.reason }]));
        }
        await services.records.purge(location);
      }
      const removed = answer === 'yes' ? holdings : [];
      const sentence =
        holdings.length === 0 ? 'There is nothing to remove.' : answer === 'yes' ? 'Removed.' : 'Nothing was removed.';
      services.print(isJson ? toJson({ removed, kept }) : sentence);
      done(answer === 'yes' ? 0 : 1);
    });
}

const stopFirst = (running: readonly string[]) =>
  `agents of this project are running, and need what would be removed: ${running.join(', ')}. End them with \`devs stop NAME\` first.`;

/**
 * Told before it is asked. What was named must be a store, lest something else is removed; the project's own file goes even
 * where it can no longer be read.
 */
async function announcement(
  holdings: readonly string[],
  options: PurgeOptions,
  services: PurgeServices,
): Promise<string> {
  const isNamed = chooseStore(options, services).kind !== 'project';
  const held = await withExistingStore(
    services,
    options,
    (opened) => surveyStore(opened),
    () => undefined,
  ).catch((error: unknown) => {
    if (isNamed) throw error;
    return undefined;
  });
  return [
    'This will be removed:',
    ...holdings.map((holding) => `  ${visible(holding)}`),
    ...(held === undefined ? [] : [`It holds ${describeCounts(held.counts)}.`]),
    ...((held?.counts.in_progress ?? 0) > 0 ? ['Processes of devs are still at work: stop them first.'] : []),
  ].join('\n');
}
