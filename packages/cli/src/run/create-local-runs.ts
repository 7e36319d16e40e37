import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type Clock,
  costByPrice,
  createMarkdownSummaryProvider,
  describeProject,
  recordProject,
  type SummaryProvider,
} from '@devs/core';
import { STARTABLE_AGENTS } from '@devs/drivers/agents';
import type { RunParts } from '@devs/supervisor';
import { configuredModel } from '../agent/configured-model.js';
import { CliError } from '../cli-error.js';
import { readSpecs } from '../hook/specs.js';
import type { ProjectPlace } from '../store-access/records.js';
import { openTerminalRegistry } from '../terminal/names/terminal-registry.js';
import { runNotifyCommand } from '../terminal/notices/run-notify-command.js';
import { type TerminalPlaces, terminalPlaces } from '../terminal/places.js';
import { agentArguments } from './agent-arguments.js';
import type { DriverOf } from './agent-drivers.js';
import type { InspectedAgent } from './choose-agent.js';
import { enlistRun } from './enlist-run.js';
import { findSpecFiles } from './find-spec-files.js';
import { mcpServerOf } from './mcp-server-of.js';
import { projectTexts } from './project-texts.js';
import type { LocalRuns, RunSurroundings, Runs } from './runs.js';

export interface LocalRunsDeps {
  readonly loadSupervisor: () => Promise<typeof import('@devs/supervisor')>;
  readonly loadMcp: () => Promise<typeof import('@devs/mcp')>;
  readonly loadWorktree: () => Promise<typeof import('@devs/worktree')>;
  readonly loadStores: () => Promise<typeof import('@devs/store')>;
  readonly driverOf: DriverOf;
  readonly here: () => Promise<ProjectPlace>;
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
}

/** What of runs is done where the caller is: looking, merging, and making what a supervisor carries them out with. */
export function createLocalRuns(deps: LocalRunsDeps): LocalRuns {
  const { driverOf, env, home, clock, newId, by } = deps;
  const userPlace = { home: env.HOME ?? home, env };

  const openPlaces = async (): Promise<TerminalPlaces> => {
    const { projectIndexFile } = await deps.loadStores();
    const index = projectIndexFile({ env, platform: deps.platform, home });
    if (index === undefined) throw new CliError('there is no home folder to keep terminals in. Set HOME.');
    return terminalPlaces(index);
  };

  const prepare: LocalRuns['prepare'] = async (surroundings) => {
    const { settings, agent, store, location } = surroundings;
    const [mcp, { readCloneId }, places, { root }] = await Promise.all([
      deps.loadMcp(),
      deps.loadWorktree(),
      openPlaces(),
      deps.here(),
    ]);
    const driver = await driverOf(agent, settings.agents);
    if (driver === undefined) throw new CliError(`devs does not know the agent "${agent}". See \`devs doctor\`.`);
    const repoRoot = realpathSync(root);
    const specs = findSpecFiles(repoRoot, settings.reinjection);
    await recordProject(store, describeProject(projectTexts(repoRoot, specs)));
    const streamOf = (worktree: string) =>
      mcp.worktreeStream({
        worktree: realpathSync(worktree),
        repoRoot,
        ...(location.kind === 'redis' && { host: deps.hostName }),
      });
    const registry = openTerminalRegistry(places.registryFolder);
    const { file } = await deps.here();
    const clone = await readCloneId({ folder: repoRoot, env });
    const summaries = summariesOf(repoRoot, settings.reinjection);
    const costOf = costByPrice(settings.budget.price);
    const parts: RunParts = {
      driver,
      store,
      openHost,
      place: { folder: repoRoot, ...userPlace },
      userArgs: agentArguments(agent, settings, { folder: repoRoot, specs, ...providerOf(settings, repoRoot) }),
      privateFolder: dirname(places.privateFolder('x')),
      by,
      clock,
      newId,
      worktreeStream: streamOf,
      handoffStream: streamOf,
      mcpServer: (worktree, toolsReport) =>
        mcpServerOf({ devsCommand: deps.devsCommand, worktree, repoRoot, location, env, toolsReport }),
      settings,
      ...(surroundings.trustsFolder ? { extras: { trustsFolder: true } } : {}),
      ...(clone === undefined ? {} : { clone }),
      ...(summaries === undefined ? {} : { summaries }),
      ...(costOf === undefined ? {} : { costOf }),
      onEvent: (event) => surroundings.onEvent?.(event),
      onNotice: (notice) => surroundings.onNotice?.(notice),
      onChange: () => surroundings.onChange?.(),
      ...(surroundings.signal === undefined ? {} : { signal: surroundings.signal }),
    };
    return { parts, enlist: (run) => enlistRun(run, { registry, agent, location, root: repoRoot, file, clock }) };
  };

  const providerOf = (settings: RunSurroundings['settings'], folder: string): { readonly provider?: string } => {
    const model = configuredModel(settings, { env, folder });
    return model.status === 'configured' ? { provider: model.provider } : {};
  };

  const placeOf: Runs['placeOf'] = async (runId) => {
    const [{ findRunWorktree }, { root: folder }] = await Promise.all([deps.loadWorktree(), deps.here()]);
    const found = await findRunWorktree({ folder, runId, env });
    return { folder, ...(found === undefined ? {} : { worktree: found.path }) };
  };

  const openHost = async () => {
    const [{ openHostIn }, { hostFolder }] = await Promise.all([deps.loadSupervisor(), openPlaces()]);
    return openHostIn({ folder: hostFolder });
  };

  return {
    openHost,
    async inspect(settings) {
      const { agents } = settings;
      const { root } = await deps.here();
      const model = configuredModel(settings, { env, folder: root });
      const names = [...STARTABLE_AGENTS, ...Object.keys(agents)];
      const inspected = await Promise.all(
        names.map(async (agent): Promise<readonly InspectedAgent[]> => {
          const driver = await driverOf(agent, agents);
          if (driver === undefined) return [];
          if (agent === 'builtin' && model.status === 'missing')
            return [{ agent, inspection: { kind: 'unusable', reason: model.reason, advice: model.advice } }];
          return [{ agent, inspection: await driver.inspect({ folder: root, ...userPlace }) }];
        }),
      );
      return inspected.flat();
    },
    prepare,
    placeOf,
    async worktrees() {
      const [{ listRunWorktrees }, { root: folder }] = await Promise.all([deps.loadWorktree(), deps.here()]);
      return listRunWorktrees({ folder, env });
    },
    async removeWorktree(runId) {
      const [{ removeRunWorktree }, { root: folder }] = await Promise.all([deps.loadWorktree(), deps.here()]);
      return removeRunWorktree({ folder, runId, env });
    },
    async diff({ id, worktree: made, head }, { from, to } = {}) {
      const [{ diffRun, runBranch }, { folder, worktree }] = await Promise.all([deps.loadWorktree(), placeOf(id)]);
      if (made?.base === undefined) throw new CliError(`run ${id} worked in your own folder. See: git diff`);
      // Where its work tree is gone, what was committed is there: on its branch, or merged.
      const where = worktree === undefined ? { folder, tip: head ?? runBranch(id) } : { folder: worktree };
      return diffRun({ ...where, ...(to === undefined ? {} : { tip: to }), base: from ?? made.base, env });
    },
    async merge({ id, checks, commits: [last], left }) {
      const [{ mergeRun, runBranch }, { folder, worktree }] = await Promise.all([deps.loadWorktree(), placeOf(id)]);
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
    },
    tell({ notices }, { kind, run, text }) {
      const about = { DEVS_NOTICE: kind, DEVS_RUN: run, DEVS_NOTICE_TEXT: text };
      const notify = (folder: string) =>
        runNotifyCommand({ command: notices.command, text, folder, env, about }, () => {});
      void deps.here().then(
        ({ root }) => notify(root),
        () => notify(home),
      );
    },
  };
}

function summariesOf(
  root: string,
  { enabled, tas, prd }: RunSurroundings['settings']['reinjection'],
): SummaryProvider | undefined {
  if (!enabled) return undefined;
  const named = (file: string | undefined) => (file === undefined ? undefined : { file, isFromUser: false });
  const [namedTas, namedPrd] = [named(tas), named(prd)];
  const specs = readSpecs(root, {
    ...(namedTas === undefined ? {} : { tas: namedTas }),
    ...(namedPrd === undefined ? {} : { prd: namedPrd }),
  });
  if (specs.digest === undefined) return undefined;
  return createMarkdownSummaryProvider({ tas: specs.tas ?? 'none', prd: specs.prd ?? 'none' });
}
