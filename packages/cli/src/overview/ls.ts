import {
  describeRun,
  holderOfRun,
  isUnfinished,
  messageOf,
  type OpenedStore,
  type RunFacts,
  readRuns,
  type SeenTerminals,
} from '@devs/core';
import { Command } from 'commander';
import { jsonOption, storeOption, wholeNumber } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { describeStoreLocation, type StoreLocation } from '../store-access/store-location.js';
import { chooseStore, type StoreOptions, useStore } from '../store-access/with-store.js';
import { calendarOf } from '../time/describe-time.js';
import type { OverviewServices } from './overview-services.js';
import { type ListedRun, renderRuns } from './render-runs.js';
import { renderTerminals } from './render-terminals.js';
import { seenTerminals } from './seen-terminals.js';

const DEFAULT_LIMIT = 10;

const MORE_HELP = `
Runs that work, wait, or are over, the newest first, in all projects; then the
terminals.

Examples:
  devs ls
  devs ls --limit 50 --json`;

interface LsOptions extends StoreOptions {
  readonly limit?: number;
  readonly json?: boolean;
}

interface ListedProject {
  readonly name: string;
  readonly runs: readonly ListedRun[];
  /** Why they could not be read. */
  readonly problem?: string;
}

/** Runs and terminals, running and stopped. */
export function lsCommand(services: OverviewServices, done: (exitCode: number) => void): Command {
  return new Command('ls')
    .description('List runs and terminals, running and stopped')
    .option('--limit <number>', `runs of each project; default: ${DEFAULT_LIMIT}`, wholeNumber({ from: 1 }))
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<LsOptions>();
      const terminals = await services.terminals.list();
      const wanted = {
        limit: options.limit ?? DEFAULT_LIMIT,
        seen: seenTerminals(terminals, services.clock.now()),
      };
      const projects: ListedProject[] = [];
      for (const { name, location } of await placesOf(options, services))
        projects.push(await listProject(name, location, wanted, services));
      if (outputMode(options) === 'json') services.print(toJson({ projects, terminals }));
      else {
        const rows = renderTerminals(terminals, services.screen, calendarOf(services));
        services.print([...render(projects, services), ...rows].join('\n'));
      }
      done(0);
    });
}

function render(projects: readonly ListedProject[], services: OverviewServices): string[] {
  const { screen } = services;
  const shown = projects.filter(({ runs, problem }) => runs.length > 0 || problem !== undefined);
  if (shown.length === 0) return ['No runs yet. Start one with `devs run "What to do"`.', ''];
  return shown.flatMap(({ name, runs, problem }) => [
    screen.palette.title(visible(name)),
    ...(problem === undefined ? [] : [`  ${screen.palette.bad(visible(problem))}`]),
    ...renderRuns(runs, { ...screen, columns: screen.columns - 2 }, calendarOf(services)).map((line) => `  ${line}`),
    '',
  ]);
}

async function placesOf(options: StoreOptions, services: OverviewServices) {
  const chosen = chooseStore(options, services);
  if (chosen.kind !== 'project') return [{ name: describeStoreLocation(chosen), location: chosen as StoreLocation }];
  const projects = await services.records.projects();
  return projects.map(({ root, file }) => ({ name: root, location: { kind: 'sqlite', file } as StoreLocation }));
}

/** An unreadable project does not hide the others. */
async function listProject(
  name: string,
  location: StoreLocation,
  wanted: Wanted,
  services: OverviewServices,
): Promise<ListedProject> {
  try {
    const backend = await services.records.open(location, 'existing');
    if (backend === undefined) return { name, runs: [] };
    return { name, runs: await useStore(backend, services, (opened) => listAll(opened, wanted)) };
  } catch (error) {
    return { name, runs: [], problem: messageOf(error) };
  }
}

interface Wanted {
  readonly limit: number;
  readonly seen: SeenTerminals;
}

async function listAll(opened: OpenedStore, { limit, seen }: Wanted): Promise<readonly ListedRun[]> {
  const listed: ListedRun[] = [];
  for (const run of (await readRuns(opened)).slice(-limit).reverse()) {
    const isHeld = isUnfinished(run) && (await holderOfRun(opened.store.leases, run.id)) !== undefined;
    listed.push(describe(run, isHeld, seen));
  }
  return listed;
}

function describe(run: RunFacts, isHeld: boolean, seen: SeenTerminals): ListedRun {
  const { phase, plan, merged, commits } = run;
  if (phase.kind !== 'finished') return describeRun(run, isHeld, seen);
  const { outcome, detail } = phase;
  const canMerge = outcome === 'done' && merged === undefined && plan?.place === 'own' && commits.length > 0;
  return {
    id: run.id,
    request: plan?.request ?? '',
    workflow: plan?.workflow ?? '',
    agent: plan?.agent ?? '',
    state: outcome,
    since: run.lastEventAt ?? 0,
    detail,
    ...(canMerge ? { advice: `devs merge ${run.id}` } : {}),
  };
}
