import { messageOf } from '@devs/core';
import { STARTABLE_AGENTS } from '@devs/drivers/agents';
import type { Acted, Caller } from '@devs/supervisor';
import type { AskedSupervisor } from '../supervise/asked-supervisor.js';
import type { SupervisorLink } from '../supervise/supervisor-link.js';
import { openSurroundings, type SurroundingsDeps } from './open-surroundings.js';
import { terminalPlaces } from './places.js';
import type { LocalTerminal } from './relay/local-terminal.js';
import type { TerminalWorld } from './terminal-world.js';
import type { HostExamination, Terminals } from './terminals.js';

export interface TerminalsDeps extends SurroundingsDeps {
  readonly local: LocalTerminal;
  readonly supervisor: SupervisorLink;
  readonly caller: Caller;
}

/** The terminals of the user, as the commands of this process use them. */
export function createTerminals(deps: TerminalsDeps): Terminals {
  const { env, platform, home, local, supervisor, caller, driverOf } = deps;
  let world: Promise<TerminalWorld> | undefined;
  const open = () => {
    world ??= openSurroundings(deps).then((surroundings) => ({ ...surroundings, local, supervisor, caller }));
    return world;
  };
  const ask = async <Result>(wanted: string, work: Work<Result>): Promise<{ name: string; outcome: Result }> => {
    const opened = await open();
    const { name } = await find(opened, wanted);
    const { askSupervisor } = await import('./ask-supervisor.js');
    return { name, outcome: await askSupervisor(opened, name, (port) => work(port, name)) };
  };

  return {
    async seat() {
      const index = (await deps.loadStores()).projectIndexFile({ env, platform, home });
      if (index === undefined) return { kind: 'outside' }; // no home, no host
      return (await import('@devs/terminals/admission')).seatIn(terminalPlaces(index).hostFolder);
    },
    start: async (request) => (await import('./start-agent.js')).startAgent(await open(), request),
    attach: async (name, options) => (await import('./attach-terminal.js')).attachTerminal(await open(), name, options),
    resume: async (name) => (await import('./resume-terminal.js')).resumeTerminal(await open(), name),
    send: (wanted, text) => ask(wanted, (port, name) => port.send(name, text)),
    interrupt: (wanted, words) => ask(wanted, (port, name) => port.interrupt(name, words)),
    renew: (wanted, wish) => ask(wanted, (port, name) => port.renew(name, wish)),
    undoRenewal: (wanted) => ask(wanted, (port, name) => port.undo(name)),
    async stop(wanted) {
      const opened = await open();
      const { stopTerminal } = await import('./stop-terminal.js');
      return stopTerminal(opened, (await find(opened, wanted)).name);
    },
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
        STARTABLE_AGENTS.map(async (agent) => {
          const driver = await driverOf(agent);
          const inspection = await driver?.inspect(place);
          return inspection === undefined ? [] : [{ agent, inspection }];
        }),
      );
      return {
        agents: agents.flat(),
        host: await examineHost(opened),
        problems: (await opened.choicesIn(opened.folder)).problems,
      };
    },
  };
}

type Work<Result> = (port: AskedSupervisor['terminals'], name: string) => Promise<Acted<Result>>;

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
    return { kind: 'unusable', reason: messageOf(error) };
  }
}
