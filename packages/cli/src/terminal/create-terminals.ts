import { type AgentInspection, messageOf, type TypingOutcome } from '@devs/core';
import { STARTABLE_AGENTS } from '@devs/drivers/agents';
import type { Acted, Caller, InterruptOutcome, RenewOutcome, UndoOutcome } from '@devs/supervisor';
import type { Seat } from '@devs/terminals/admission';
import type { StoreLocation } from '../store-access/store-location.js';
import type { AskedSupervisor } from '../supervise/asked-supervisor.js';
import type { SupervisorLink } from '../supervise/supervisor-link.js';
import type { TerminalListing } from './listing/terminal-listing.js';
import { openSurroundings, type SurroundingsDeps } from './open-surroundings.js';
import { terminalPlaces } from './places.js';
import type { TerminalHoldings } from './purge-terminals.js';
import type { LocalTerminal } from './relay/local-terminal.js';
import type { AgentStart } from './start-agent.js';
import type { StopReport } from './stop-terminal.js';
import type { TerminalDeps } from './terminal-world.js';

export interface TerminalsDeps extends SurroundingsDeps {
  readonly local: LocalTerminal;
  readonly supervisor: SupervisorLink;
  readonly caller: Caller;
}

/** The terminals of the user, as the commands of this process use them. */
export function createTerminals(deps: TerminalsDeps): Terminals {
  const { env, platform, home, local, supervisor, caller, driverOf } = deps;
  let world: Promise<TerminalDeps> | undefined;
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
    resume: async (name) => (await import('./attach-terminal.js')).resumeTerminal(await open(), name),
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

const find = async (world: TerminalDeps, wanted: string) =>
  (await import('./names/known-names.js')).findTerminal(world, wanted);

async function examineHost(world: TerminalDeps): Promise<HostExamination> {
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

/**
 * The user's agents in terminals, as commands use them.
 *
 * Contract: a name may be given by its beginning; an unknown or ended terminal rejects with a `CliError` that lists
 * the existing ones. Calls that attach the user to a terminal resolve with the exit code of this process.
 */
export interface Terminals {
  /** Whether this process sits in a terminal of devs: commands that are the user's alone refuse there. */
  seat(): Promise<Seat>;
  start(request: AgentStart): Promise<number>;
  attach(name: string, options: { readonly watch: boolean }): Promise<number>;
  resume(name: string): Promise<number>;
  send(name: string, text: string): Promise<{ readonly name: string; readonly outcome: TypingOutcome }>;
  /** Also of a run, by its id. */
  interrupt(name: string, words?: string): Promise<{ readonly name: string; readonly outcome: InterruptOutcome }>;
  stop(name: string): Promise<StopReport>;
  renew(
    name: string,
    wish: { readonly dropsDraft: boolean },
  ): Promise<{ readonly name: string; readonly outcome: RenewOutcome }>;
  undoRenewal(name: string): Promise<{ readonly name: string; readonly outcome: UndoOutcome }>;
  list(): Promise<readonly TerminalListing[]>;
  /** What is kept of the terminals whose records are there. */
  holdingsOf(location: StoreLocation): Promise<TerminalHoldings>;
  /** Removes what is kept of terminals that have ended. */
  purge(names: readonly string[]): Promise<void>;
  /** Which agents there are, and what becomes of the terminals. */
  examine(): Promise<TerminalsExamination>;
}

export interface TerminalsExamination {
  readonly agents: readonly { readonly agent: string; readonly inspection: AgentInspection }[];
  readonly host: HostExamination;
  /** What of the settings was not understood. */
  readonly problems: readonly string[];
}

export type HostExamination =
  | { readonly kind: 'running'; readonly pid: number; readonly terminals: number; readonly folder: string }
  | { readonly kind: 'none'; readonly folder: string }
  | { readonly kind: 'unusable'; readonly reason: string };
