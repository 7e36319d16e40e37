import {
  collect,
  describeRun,
  holderOfRun,
  isUnfinished,
  type OpenedStore,
  type RunFacts,
  readAll,
  readRuns,
  runStream,
  type StoredEvent,
} from '@devs/core';
import { Command } from 'commander';
import { createEventRenderer } from '../log/render-event.js';
import { seenTerminals } from '../overview/seen-terminals.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withStore } from '../store-access/with-store.js';
import { calendarOf } from '../time/describe-time.js';
import { findRun } from './find-run.js';
import { sayPicked, withRunStore } from './other-project.js';
import type { RunServices } from './run-services.js';

const MORE_HELP = `
Without RUN: the newest. From any folder.

Examples:
  devs logs
  devs logs run-3f9c -f`;

/** What happened in one run. */
export function logsCommand(services: RunServices, done: (exitCode: number) => void): Command {
  return new Command('logs')
    .description('Show what happened in a run, and follow it')
    .argument('[run]', 'its id, or the beginning of it')
    .option('-f, --follow', 'follow what happens, until the run is over or Ctrl-C')
    .addOption(storeOption())
    .addOption(jsonOption('print each event as one line of JSON'))
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string | undefined, _options: unknown, command: Command) => {
      const given = command.optsWithGlobals<StoreOptions & { json?: boolean; follow?: boolean }>();
      const options = await withRunStore(wanted, given, services);
      const show = createShow(outputMode(options) === 'json', services);
      await withStore(services, options, async (opened) => {
        const run = findRun(await readRuns(opened), wanted);
        if (wanted === undefined) sayPicked(run, services, options === given ? undefined : run.plan?.folder);
        const stream = runStream(run.id);
        const isText = outputMode(options) !== 'json';
        if (options.follow !== true || !isUnfinished(run)) {
          for (const event of await collect(readAll(opened.store.log, { stream }))) show(event);
          if (isText && isUnfinished(run)) await sayWhyItWaits(opened, run, services);
          return;
        }
        if (isText) await sayWhyItWaits(opened, run, services);
        await services.untilInterrupted(async (signal) => {
          for await (const event of opened.store.log.follow({ stream, signal })) {
            show(event);
            if (event.type === 'run.finished') return;
          }
        });
      });
      done(0);
    });
}

async function sayWhyItWaits({ store }: OpenedStore, run: RunFacts, services: RunServices): Promise<void> {
  const isHeld = (await holderOfRun(store.leases, run.id)) !== undefined;
  const seen = seenTerminals(await services.terminals.list(), services.clock.now());
  const { waits, advice } = describeRun(run, isHeld, seen);
  if (waits !== undefined)
    services.warn(visible(`devs: ${run.id}: ${waits}${advice === undefined ? '' : ` · ${advice}`}`));
}

function createShow(isJson: boolean, services: RunServices): (event: StoredEvent) => void {
  const { print, isTerminal } = services;
  if (isJson) return (event) => print(toJson(event));
  const columns = isTerminal ? services.screen.columns : Number.POSITIVE_INFINITY;
  const renderer = createEventRenderer({ ...services.screen, columns }, () => calendarOf(services));
  return (event) => print(renderer.render(event));
}
