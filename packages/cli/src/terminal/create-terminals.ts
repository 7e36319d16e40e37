import type { AgentDriver, Clock, TypingOutcome } from '@devs/core';
import type { RenewOutcome, UndoOutcome } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import type { Records } from '../store-access/records.js';
import { parseStoreLocation } from '../store-access/store-location.js';
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
  readonly loadAgents: () => Promise<typeof import('@devs/agents')>;
  readonly loadStores: () => Promise<typeof import('@devs/store')>;
  readonly process: NodeJS.Process;
  readonly records: Records;
  readonly home: string;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly by: string;
  readonly complain: (text: string) => void;
}

/** The terminals of the user who stands in the folder of this process. */
export function createTerminals(deps: TerminalsDeps): Terminals {
  const { process, home, loadStores, loadAgents, loadTerminals, loadSupervisor } = deps;
  const { env, platform } = process;
  let world: Promise<TerminalWorld> | undefined;
  const open = () => {
    world ??= openWorld();
    return world;
  };

  const driverOf = async (agent: string): Promise<AgentDriver | undefined> => {
    const { createClaudeCodeDriver, createCodexDriver } = await loadAgents();
    if (agent === 'claude') return createClaudeCodeDriver({ clock: deps.clock });
    return agent === 'codex' ? createCodexDriver({ clock: deps.clock }) : undefined;
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
      by: deps.by,
      complain: deps.complain,
      loadTerminals,
      loadSupervisor,
      driverOf,
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
        : `"${name}" does not run. Go on in its conversation with \`devs resume ${name}\`.`,
    );
  };

  return {
    start: async (request) => (await import('./start-agent.js')).startAgent(await open(), request),
    attach: async (name, options) => (await import('./attach-terminal.js')).attachTerminal(await open(), name, options),
    resume: async (name) => (await import('./resume-terminal.js')).resumeTerminal(await open(), name),
    send: async (name, text) => (await act(name, { do: 'send', text })) as { name: string; outcome: TypingOutcome },
    renew: async (name) => (await act(name, { do: 'renew' })) as { name: string; outcome: RenewOutcome },
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
        AGENT_NAMES.map(async (agent) => {
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
