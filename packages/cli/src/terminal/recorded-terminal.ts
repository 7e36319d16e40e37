import { type AgentDriver, type EventLog, openStore, type Store } from '@devs/core';
import type { TerminalFacts } from '@devs/supervisor';
import { storeOf } from './ask-supervisor.js';
import type { RegisteredTerminal } from './names/terminal-registry.js';
import type { SupervisedWorld, TerminalDeps } from './terminal-world.js';

/** What the records say of a terminal, as far as its user needs it. */
export interface RecordedTerminal {
  readonly userArgs: readonly string[];
  /** Its arguments held a secret and were not stored whole. */
  readonly isHidden: boolean;
  readonly conversationId?: string;
  readonly escalation?: string;
  readonly parkedUntil?: number;
  readonly parkedWhy?: string;
  readonly exit?: { readonly kind: string; readonly exitCode?: number; readonly signal?: number; readonly at: number };
  readonly isStopped: boolean;
  /** An agent was started in it at least once. */
  readonly hasRun: boolean;
}

/** `undefined`: it was never opened. */
export async function readRecordedTerminal(
  { loadSupervisor }: Pick<TerminalDeps, 'loadSupervisor'>,
  log: Pick<EventLog, 'read' | 'append'>,
  name: string,
): Promise<RecordedTerminal | undefined> {
  const { readTerminalFacts } = await loadSupervisor();
  return recordedOf(await readTerminalFacts(log, name));
}

function recordedOf({ launch, agent, isStopped, ...facts }: TerminalFacts): RecordedTerminal | undefined {
  if (launch === undefined) return undefined;
  const { escalation, parkedUntil, parkedWhy } = facts;
  const { conversationId, exit, exitedAt } = agent ?? {};
  return {
    userArgs: launch.userArgs,
    isHidden: launch.hidden === true,
    isStopped,
    hasRun: agent !== undefined,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(escalation === undefined ? {} : { escalation }),
    ...(parkedUntil === undefined ? {} : { parkedUntil }),
    ...(parkedWhy === undefined ? {} : { parkedWhy }),
    ...(exit === undefined ? {} : { exit: { ...exit, at: exitedAt ?? 0 } }),
  };
}

/** How its agent is driven; it may be one of the user's own, by the configuration of its folder. */
export async function driverOfTerminal(
  { driverOf, choicesIn }: Pick<TerminalDeps, 'driverOf' | 'choicesIn'>,
  { agent, folder }: Pick<RegisteredTerminal, 'agent' | 'folder'>,
): Promise<AgentDriver | undefined> {
  return (await driverOf(agent)) ?? driverOf(agent, (await choicesIn(folder)).settings.agents);
}

type StoreWorld = Pick<SupervisedWorld, 'records' | 'clock' | 'newId' | 'isGone' | 'storeSetting'>;

/** Records of a terminal. Callers close them; `undefined` where they are gone. */
export async function openTerminalStore(
  world: StoreWorld,
  entry: Pick<RegisteredTerminal, 'name' | 'store'>,
): Promise<Store | undefined> {
  const { records, clock, newId, isGone } = world;
  const backend = await records.open(storeOf(world, entry), 'existing');
  return backend === undefined ? undefined : openStore({ backend, clock, newId, isGone });
}
