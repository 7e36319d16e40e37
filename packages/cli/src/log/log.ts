import { readNewest, type Store, type StoredEvent } from '@devs/core';
import { Command } from 'commander';
import { jsonOption, storeOption, wholeNumber } from '../program/options.js';
import type { Console } from '../screen/console.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import type { StoreServices } from '../store-access/with-store.js';
import { type StoreOptions, withExistingStore, withStore } from '../store-access/with-store.js';
import type { Times } from '../time/describe-time.js';
import { calendarOf } from '../time/describe-time.js';
import { createEventRenderer } from './render-event.js';

interface LogServices extends Console, StoreServices, Times {}

const DEFAULT_LIMIT = 50;
const MAX_EVENTS = 1_000_000;

const MORE_HELP = `
Without --after the newest events; with it those behind that position.

Examples:
  devs log
  devs log --follow
  devs log --stream task:fix-login --after 0
  devs log --json --after 0 --limit 1000 | jq -c .data`;

interface LogOptions extends StoreOptions {
  readonly follow?: boolean;
  readonly stream?: string;
  readonly after?: number;
  readonly limit?: number;
  readonly json?: boolean;
}

export function logCommand(services: LogServices, done: (exitCode: number) => void): Command {
  return new Command('log')
    .description('Show what happened')
    .option('-f, --follow', 'follow what happens, until Ctrl-C')
    .option('--stream <stream>', 'only this one, such as task:fix-login')
    .option('--after <position>', 'only what came behind this position', wholeNumber({ from: 0 }))
    .option(
      '--limit <number>',
      `number of events at most; default: ${DEFAULT_LIMIT}; with --follow, of what happened before`,
      wholeNumber({ from: 0, to: MAX_EVENTS }),
    )
    .addOption(storeOption())
    .addOption(jsonOption('print each event as one line of JSON'))
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<LogOptions>();
      const show = createShow(options, services);
      if (options.follow) await withStore(services, options, ({ store }) => follow(store, options, { show, services }));
      else {
        const nothing = (): readonly StoredEvent[] => [];
        const events = await withExistingStore(services, options, ({ store }) => readPast(store, options), nothing);
        show(events);
        if (events.length === 0) services.warn('devs: there is nothing of that in the log.');
      }
      done(0);
    });
}

type Show = (events: readonly StoredEvent[]) => void;

function createShow(options: LogOptions, services: LogServices): Show {
  const { print, isTerminal } = services;
  if (outputMode(options) === 'json') {
    return (events) => {
      for (const event of events) print(toJson(event));
    };
  }
  const columns = isTerminal ? services.screen.columns : Number.POSITIVE_INFINITY;
  const renderer = createEventRenderer({ ...services.screen, columns }, () => calendarOf(services));
  return (events) => {
    renderer.expect(events);
    for (const event of events) print(renderer.render(event));
  };
}

async function follow(
  store: Store,
  options: LogOptions,
  { show, services }: { readonly show: Show; readonly services: LogServices },
): Promise<void> {
  const { stream, after, limit = DEFAULT_LIMIT } = options;
  const end = after ?? (await store.state()).position;
  if (after === undefined) show(await readNewest(store.log, { stream, limit, end }));
  await services.untilInterrupted(async (signal) => {
    const query = { after: end, signal, ...(stream !== undefined && { stream }) };
    for await (const event of store.log.follow(query)) show([event]);
  });
}

async function readPast(store: Store, { after, stream, limit = DEFAULT_LIMIT }: LogOptions) {
  if (after !== undefined) return store.log.read({ after, limit, ...(stream !== undefined && { stream }) });
  return readNewest(store.log, { limit, stream, end: (await store.state()).position });
}
