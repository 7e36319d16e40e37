import { realpathSync } from 'node:fs';
import type { Clock, TypingOutcome } from '@devs/core';
import type { RenewOutcome, UndoOutcome } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import type { SettingsFiles } from '../config/settings-files.js';
import type { ProjectPlace, Records } from '../store-access/records.js';
import { parseStoreLocation } from '../store-access/store-location.js';
import { readTerminalChoices, type TerminalChoices } from './choices/terminal-choices.js';
import type { ControlRequest } from './control/control-message.js';
import { openTerminalRegistry } from './names/terminal-registry.js';
import { type TerminalPlaces, terminalPlaces } from './places.js';
import { createLocalTerminal } from './relay/local-terminal.js';
import { readTerminalSettings, settingsFile } from './terminal-settings.js';
import { AGENT_NAMES, type TerminalWorld } from './terminal-world.js';
import type { HostExamination, Terminals } from './terminals.js';

export interface TerminalsDeps {
  /** Loaded when they are first needed: `devs --help` does without. */
  readonly loadTerminals: TerminalWorld['loadTerminals'];
  readonly loadSupervisor: TerminalWorld['loadSupervisor'];
  readonly driverOf: TerminalWorld['driverOf'];
  readonly loadStores: () => Promise<typeof import('@devs/store')>;
  readonly loadWorktreeStream: () => Promise<typeof import('@devs/mcp/worktree-stream')>;
  /** The project that a folder belongs to. */
  readonly projectOf: (folder: string) => Promise<ProjectPlace>;
  readonly settingsFilesIn: (folder: string) => SettingsFiles;
  readonly devsCommand: readonly string[];
  readonly hostName: string;
  readonly process: NodeJS.Process;
  readonly records: Records;
  readonly home: string;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly isGone: (by: string) => boolean;
  readonly by: string;
  readonly complain: (text: string) => void;
}

/** Started in runs, not by a command of its own. */
const BUILTIN = 'builtin';

/** The terminals of the user who stands in the folder of this process. */
export function createTerminals(deps: TerminalsDeps): Terminals {
  const { process, home, loadStores, driverOf, loadTerminals, loadSupervisor } = deps;
  const { env, platform } = process;
  let world: Promise<TerminalWorld> | undefined;
  const open = () => {
    world ??= openWorld();
    return world;
  };

  const choices = new Map<string, Promise<TerminalChoices>>();
  const choicesIn = (folder: string) => {
    const known = choices.get(folder) ?? readTerminalChoices(deps.settingsFilesIn(folder));
    choices.set(folder, known);
    return known;
  };
  const handoffStreamOf = async (folder: string, store: 'own' | 'shared') => {
    try {
      const { root } = await deps.projectOf(folder);
      const { worktreeStream } = await deps.loadWorktreeStream();
      const [worktree, repoRoot] = [realpathSync(folder), realpathSync(root)];
      return worktreeStream({ worktree, repoRoot, ...(store === 'shared' && { host: deps.hostName }) });
    } catch {
      return undefined; // the folder is gone
    }
  };
  const openWorld = async (): Promise<TerminalWorld> => {
    const { projectIndexFile } = await loadStores();
    const index = projectIndexFile({ env, platform, home });
    if (index === undefined) throw new CliError('there is no home folder to keep terminals in. Set HOME.');
    const places: TerminalPlaces = terminalPlaces(index);
    return {
      places,
      registry: openTerminalRegistry(places.registryFolder),
      settings: readTerminalSettings({ env, home }),
      local: createLocalTerminal(process),
      records: deps.records,
      env,
      home,
      folder: process.cwd(),
      clock: deps.clock,
      newId: deps.newId,
      isGone: deps.isGone,
      by: deps.by,
      complain: deps.complain,
      loadTerminals,
      loadSupervisor,
      driverOf,
      choicesIn,
      handoffStreamOf,
      devsCommand: deps.devsCommand,
      storeSetting: env.DEVS_STORE === undefined ? undefined : parseStoreLocation(env.DEVS_STORE),
    };
  };
  const act = async (wanted: string, request: ControlRequest): Promise<{ name: string; outcome: unknown }> => {
    const opened = await open();
    const { name } = await find(opened, wanted);
    const { actOnTerminal } = await import('./act-on-terminal.js');
    const acted = await actOnTerminal(opened, name, request);
    if (acted.status === 'done') return { name, outcome: acted.result };
    throw new CliError(
      acted.status === 'unknown'
        ? `"${name}" was not started by devs: it can be attached and stopped, no more.`
        : `"${name}" does not run. Continue its conversation with \`devs resume ${name}\`.`,
    );
  };

  return {
    async seat() {
      const index = (await loadStores()).projectIndexFile({ env, platform, home });
      if (index === undefined) return { kind: 'outside' }; // no home, no host
      return (await import('@devs/terminals/admission')).seatIn(terminalPlaces(index).hostFolder);
    },
    start: async (request) => (await import('./start-agent.js')).startAgent(await open(), request),
    attach: async (name, options) => (await import('./attach-terminal.js')).attachTerminal(await open(), name, options),
    resume: async (name) => (await import('./resume-terminal.js')).resumeTerminal(await open(), name),
    send: async (name, text) => (await act(name, { do: 'send', text })) as { name: string; outcome: TypingOutcome },
    renew: async (name, { dropsDraft }) =>
      (await act(name, { do: 'renew', dropsDraft })) as { name: string; outcome: RenewOutcome },
    undoRenewal: async (name) => (await act(name, { do: 'undo' })) as { name: string; outcome: UndoOutcome },
    async stop(wanted) {
      const opened = await open();
      const { stopTerminal } = await import('./stop-terminal.js');
      return stopTerminal(opened, (await find(opened, wanted)).name);
    },
    keep: async (name) => (await import('./keep-detached.js')).keepDetached(await open(), name),
    list: async () => (await import('./listing/list-terminals.js')).listTerminals(await open()),
    holdingsOf: async (location) => (await import('./purge-terminals.js')).terminalHoldings(await open(), location),
    async purge(names) {
      const { purgeTerminal } = await import('./purge-terminals.js');
      const opened = await open();
      for (const name of names) purgeTerminal(opened, name);
    },
    async examine() {
      const opened = await open();
      const place = { folder: opened.folder, home: env.HOME ?? home, env };
      const agents = await Promise.all(
        [...AGENT_NAMES, BUILTIN].map(async (agent) => {
          const driver = await driverOf(agent);
          const inspection = await driver?.inspect(place);
          return inspection === undefined ? [] : [{ agent, inspection }];
        }),
      );
      return {
        agents: agents.flat(),
        host: await examineHost(opened),
        settingsFile: settingsFile({ env, home }),
        problems: opened.settings.problems,
      };
    },
  };
}

const find = async (world: TerminalWorld, wanted: string) =>
  (await import('./names/known-names.js')).findTerminal(world, wanted);

async function examineHost(world: TerminalWorld): Promise<HostExamination> {
  const folder = world.places.hostFolder;
  try {
    const { connectRunningHost } = await import('./connect-running-host.js');
    const host = await connectRunningHost(world);
    if (host === undefined) return { kind: 'none', folder };
    const terminals = (await host.list()).filter(({ exit }) => exit === undefined).length;
    host.close();
    return { kind: 'running', pid: host.pid, terminals, folder };
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) };
  }
}
