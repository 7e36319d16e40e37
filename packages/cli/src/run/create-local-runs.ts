import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type Clock,
  costByPrice,
  createMarkdownSummaryProvider,
  describeProject,
  recordProject,
  type Settings,
  type SummaryProvider,
} from '@devs/core';
import { STARTABLE_AGENTS } from '@devs/drivers/agents';
import type { RunParts } from '@devs/supervisor';
import type { Fetched } from '@devs/worktree';
import { configuredModel } from '../agent/configured-model.js';
import { CliError } from '../cli-error.js';
import { readSpecs } from '../hook/specs.js';
import type { ProjectPaths } from '../store-access/create-records.js';
import { openTerminalRegistry } from '../terminal/names/terminal-registry.js';
import { runNotifyCommand } from '../terminal/notices/notice-board.js';
import { type TerminalPlaces, terminalPlaces } from '../terminal/places.js';
import { agentArguments, modeOfOthers } from './agent-arguments.js';
import type { DriverOf } from './agent-drivers.js';
import type { InspectedAgent } from './choose-agent.js';
import type { LocalRuns, Runs } from './create-runs.js';
import { enlistRun } from './enlist-run.js';
import { findSpecFiles, projectTexts } from './find-spec-files.js';
import { mcpServerOf } from './mcp-server-of.js';
import { travelOf } from './say-base.js';

export interface LocalRunsDeps {
  readonly loadSupervisor: () => Promise<typeof import('@devs/supervisor')>;
  readonly loadMcp: () => Promise<typeof import('@devs/mcp')>;
  readonly loadWorktree: () => Promise<typeof import('@devs/worktree')>;
  readonly loadStores: () => Promise<typeof import('@devs/store')>;
  readonly driverOf: DriverOf;
  readonly here: () => Promise<ProjectPaths>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly hostName: string;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Who supervises, for others to see. */
  readonly by: string;
  /** What starts devs: `[node, devs.mjs]`. */
  readonly devsCommand: readonly string[];
  readonly hasScriptedModel: boolean;
}

/** What of runs is done where the caller is: looking, merging, and making what a supervisor carries them out with. */
export const createLocalRuns = (deps: LocalRunsDeps): LocalRuns => ({
  openHost: () => openHost(deps),
  inspect: (settings) => inspectAgents(deps, settings),
  prepare: (order, here) => prepareRun(deps, order, here),
  placeOf: (runId) => placeOf(deps, runId),
  async worktrees() {
    const [{ listRunWorktrees }, { root: folder }] = await Promise.all([deps.loadWorktree(), deps.here()]);
    return listRunWorktrees({ folder, env: deps.env });
  },
  async removeWorktree(runId) {
    const [{ removeRunWorktree }, { root: folder }] = await Promise.all([deps.loadWorktree(), deps.here()]);
    return removeRunWorktree({ folder, runId, env: deps.env });
  },
  diff: (run, range) => diffOf(deps, run, range),
  merge: (run) => mergeOf(deps, run),
  async dropWork({ id, held, pushed, isDropped }) {
    if (held?.remote === undefined || pushed === undefined || isDropped) return false;
    const [{ dropWork, runRef }, { root: folder }] = await Promise.all([deps.loadWorktree(), deps.here()]);
    return (await dropWork({ folder, env: deps.env, remote: held.remote, refs: [runRef(id)] })) === undefined;
  },
  tell({ notices }, { kind, run, text }) {
    const about = { DEVS_NOTICE: kind, DEVS_RUN: run, DEVS_NOTICE_TEXT: text };
    const notify = (folder: string) =>
      runNotifyCommand({ command: notices.command, text, folder, env: deps.env, about }, () => {});
    void deps.here().then(
      ({ root }) => notify(root),
      () => notify(deps.home),
    );
  },
});

const userPlace = ({ env, home }: LocalRunsDeps) => ({ home: env.HOME ?? home, env });

async function openPlaces({ loadStores, env, platform, home }: LocalRunsDeps): Promise<TerminalPlaces> {
  const { projectIndexFile } = await loadStores();
  const index = projectIndexFile({ env, platform, home });
  if (index === undefined) throw new CliError('there is no home folder to keep terminals in. Set HOME.');
  return terminalPlaces(index);
}

async function openHost(deps: LocalRunsDeps) {
  const [{ openHostIn }, { hostFolder }] = await Promise.all([deps.loadSupervisor(), openPlaces(deps)]);
  return openHostIn({ folder: hostFolder });
}

const inspectAgents = async (deps: LocalRunsDeps, settings: Settings) => {
  const { agents } = settings;
  const { root } = await deps.here();
  const model = configuredModel(settings, { ...deps, folder: root });
  const names = [...STARTABLE_AGENTS, ...Object.keys(agents)];
  const inspected = await Promise.all(
    names.map(async (agent): Promise<readonly InspectedAgent[]> => {
      const driver = await deps.driverOf(agent, agents);
      if (driver === undefined) return [];
      if (agent === 'builtin' && model.status === 'missing')
        return [{ agent, inspection: { kind: 'unusable', reason: model.reason, advice: model.advice } }];
      return [{ agent, inspection: await driver.inspect({ folder: root, ...userPlace(deps) }) }];
    }),
  );
  return inspected.flat();
};

type PreparedOrder = Parameters<LocalRuns['prepare']>[0];

async function prepareRun(
  deps: LocalRunsDeps,
  order: PreparedOrder,
  { store, onEvent }: Parameters<LocalRuns['prepare']>[1],
): ReturnType<LocalRuns['prepare']> {
  const { settings, agent, trustsFolder, store: location } = order;
  const [{ worktreeStream }, places, { root, file }] = await Promise.all([
    deps.loadMcp(),
    openPlaces(deps),
    deps.here(),
  ]);
  const driver = await deps.driverOf(agent, settings.agents);
  if (driver === undefined) throw new CliError(`devs does not know the agent "${agent}". See \`devs doctor\`.`);
  const repoRoot = realpathSync(root);
  const specs = findSpecFiles(repoRoot, settings.reinjection);
  await recordProject(store, describeProject(projectTexts(repoRoot, specs)));
  const host = location.kind === 'redis' ? { host: deps.hostName } : {};
  const { clock, newId, by, devsCommand, env } = deps;
  const parts: RunParts = {
    driver,
    store,
    openHost: () => openHost(deps),
    place: { folder: repoRoot, ...userPlace(deps) },
    userArgs: agentArguments(agent, settings, { folder: repoRoot, specs, ...providerOf(deps, settings, repoRoot) }),
    privateFolder: dirname(places.privateFolder('x')),
    by,
    clock,
    newId,
    worktreeStream: (worktree) => worktreeStream({ worktree: realpathSync(worktree), repoRoot, ...host }),
    mcpServer: (worktree, toolsReport) => mcpServerOf({ devsCommand, worktree, repoRoot, location, env, toolsReport }),
    settings,
    extras: {
      ...(trustsFolder ? { trustsFolder: true } : {}),
      transport: settings.transport,
      permissions: { ...settings.permissions, mode: modeOfOthers(settings.permissions) },
    },
    ...(await knownOfProject(deps, order, repoRoot)),
    ...(location.kind === 'redis' ? { timing: sharedTiming(settings.fleet) } : {}),
    onEvent: (event) => onEvent?.(event),
  };
  const registry = openTerminalRegistry(places.registryFolder);
  return { parts, enlist: (run) => enlistRun(run, { registry, agent, location, root: repoRoot, file, clock }) };
}

/** What a run knows where the project has it: its clone, how work travels, its specs, the price of its model. */
async function knownOfProject(
  deps: LocalRunsDeps,
  { settings, store: location }: PreparedOrder,
  repoRoot: string,
): Promise<Pick<RunParts, 'clone' | 'travel' | 'summaries' | 'costOf'>> {
  const { readCloneId } = await deps.loadWorktree();
  const clone = await readCloneId({ folder: repoRoot, env: deps.env });
  const travel = location.kind === 'redis' ? await travelOf(deps, settings, repoRoot) : undefined;
  const summaries = summariesOf(repoRoot, settings.reinjection);
  const costOf = costByPrice(settings.budget.price);
  return {
    ...(clone === undefined ? {} : { clone }),
    ...(travel === undefined ? {} : { travel }),
    ...(summaries === undefined ? {} : { summaries }),
    ...(costOf === undefined ? {} : { costOf }),
  };
}

/** What machines that share a store go by. A task outlives its run by two terms: the same machine may be back by then. */
const sharedTiming = ({ lostAfter }: Settings['fleet']) => ({
  leaseMs: lostAfter * 1_000,
  claimMs: 3 * lostAfter * 1_000,
});

function providerOf(deps: LocalRunsDeps, settings: Settings, folder: string) {
  const model = configuredModel(settings, { ...deps, folder });
  return model.status === 'configured' ? { provider: model.provider } : {};
}

async function placeOf(deps: LocalRunsDeps, runId: string): ReturnType<Runs['placeOf']> {
  const [{ findRunWorktree }, { root: folder }] = await Promise.all([deps.loadWorktree(), deps.here()]);
  const found = await findRunWorktree({ folder, runId, env: deps.env });
  return { folder, ...(found === undefined ? {} : { worktree: found.path }) };
}

async function diffOf(
  deps: LocalRunsDeps,
  { id, worktree: made, head }: Parameters<LocalRuns['diff']>[0],
  { from, to }: NonNullable<Parameters<LocalRuns['diff']>[1]> = {},
): ReturnType<LocalRuns['diff']> {
  const { diffRun, runBranch } = await deps.loadWorktree();
  const base = from ?? made?.base;
  if (made?.base === undefined || base === undefined)
    throw new CliError(`run ${id} worked in your own folder. See: git diff`);
  const diffIn = ({ folder, worktree }: RunPlace) => {
    // Where its work tree is gone, what was committed is there: on its branch, or merged.
    const where = worktree === undefined ? { folder, tip: head ?? runBranch(id) } : { folder: worktree };
    return diffRun({ ...where, ...(to === undefined ? {} : { tip: to }), base, env: deps.env });
  };
  const before = await placeOf(deps, id);
  const printed = await diffIn(before);
  if (printed.outcome === 'printed' || before.worktree === undefined) return printed;
  // A run that ends takes its work tree away, maybe while git looks into it.
  const now = await placeOf(deps, id);
  return now.worktree === undefined ? diffIn(now) : printed;
}

type RunPlace = Awaited<ReturnType<Runs['placeOf']>>;

async function mergeOf(
  deps: LocalRunsDeps,
  { id, checks, commits: [last], left, pushed, held }: Parameters<LocalRuns['merge']>[0],
): ReturnType<LocalRuns['merge']> {
  const { env } = deps;
  const [{ mergeRun, runBranch, bringBranch }, { folder, worktree }] = await Promise.all([
    deps.loadWorktree(),
    placeOf(deps, id),
  ]);
  const travelsBy = held?.remote;
  if (pushed !== undefined && worktree === undefined && travelsBy !== undefined) {
    const brought = await bringBranch({ folder, env, remote: travelsBy, runId: id, commit: pushed.commit });
    if (brought.outcome !== 'here') return { outcome: 'failed', message: whyNotBrought(brought, travelsBy) };
  }
  return mergeRun({
    folder,
    branch: runBranch(id),
    ...(worktree === undefined ? {} : { worktree }),
    ...(last === undefined ? {} : { tip: last.hash }),
    // Possible secrets stay out of it, so that no one commits them to get the rest.
    ...(left === undefined ? {} : { left: left.filter(({ why }) => why !== 'secret').map(({ what }) => what) }),
    checksPassed: checks.every(({ exitCode }) => exitCode === 0),
    env,
  });
}

const whyNotBrought = (brought: Exclude<Fetched, { outcome: 'here' }>, remote: string): string =>
  brought.outcome === 'gone'
    ? `${remote} has the work of the run no more (${brought.ref})`
    : `the work of the run could not be fetched from ${remote}: ${brought.message}`;

function summariesOf(root: string, { enabled, tas, prd }: Settings['reinjection']): SummaryProvider | undefined {
  if (!enabled) return undefined;
  const named = (file: string | undefined) => (file === undefined ? undefined : { file, isFromUser: false });
  const [namedTas, namedPrd] = [named(tas), named(prd)];
  const read = () =>
    readSpecs(root, {
      ...(namedTas === undefined ? {} : { tas: namedTas }),
      ...(namedPrd === undefined ? {} : { prd: namedPrd }),
    });
  if (read().digest === undefined) return undefined;
  return {
    // Read each time: the agent is reminded when they change.
    async getSummary() {
      const specs = read();
      return createMarkdownSummaryProvider({ tas: specs.tas ?? 'none', prd: specs.prd ?? 'none' }).getSummary();
    },
  };
}
