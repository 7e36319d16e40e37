import { setTimeout as pause } from 'node:timers/promises';
import type { AgentDriver } from '@devs/core';
import { openStore } from '@devs/core';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { StoreLocation } from '../store-access/store-location.js';
import { listHosted } from './names/known-names.js';
import { checkTerminalName, chooseTerminalName } from './names/terminal-name.js';
import type { RegisteredTerminal } from './names/terminal-registry.js';
import { openTerminalStore } from './open-terminal-store.js';
import { readRecordedTerminal } from './recorded-terminal.js';
import { runDirectly } from './run-directly.js';
import { NameTakenError } from './session/name-taken-error.js';
import { runSession } from './session/run-session.js';
import { supervisionRequest } from './session/supervision-request.js';
import { tellEnd } from './session/tell-end.js';
import type { TerminalWorld } from './terminal-world.js';

export interface AgentStart {
  readonly agent: string;
  /** As the user typed them. */
  readonly args: readonly string[];
  readonly name?: string;
  readonly store: StoreLocation;
}

/** The user's own CLI in a terminal that outlives this process; directly where he asks for no conversation. Gives its exit code. */
export async function startAgent(world: TerminalWorld, { agent, args, name, store }: AgentStart): Promise<number> {
  const driver = await world.driverOf(agent);
  if (driver === undefined) throw new CliError(`devs does not know how to start "${agent}".`);
  if (name !== undefined) checkTerminalName(name);
  const plan = await driver.launch({
    ...placeOf(world),
    userArgs: args,
    conversation: { kind: 'first', id: world.newId() },
    privateFolder: world.places.privateFolder('none'), // nothing is written for a look
  });
  const isInside = world.env.DEVS_TERMINAL_MARK !== undefined;
  if (plan.manner === 'one-off' || !world.local.isInteractive || isInside) {
    if (isInside && plan.manner !== 'one-off')
      world.complain(`devs: this is a terminal of devs; ${agent} runs directly.`);
    return runDirectly({ command: plan.command, args, env: world.env, folder: world.folder });
  }
  const warning = untriedVersion(driver, world);
  const { problems } = await world.choicesIn(world.folder);
  for (const problem of [...world.settings.problems, ...problems]) world.complain(`devs: ${visible(problem)}`);
  const refused = new Set<string>();
  for (;;) {
    const chosen = name ?? (await freeName(world, refused));
    try {
      return await openAndRun(world, { driver, args, name: chosen, folder: world.folder, store, warning });
    } catch (error) {
      if (!(error instanceof NameTakenError) || name !== undefined) throw error;
      refused.add(chosen); // somebody else took it in the same moment
    }
  }
}

export interface NewTerminal {
  readonly driver: AgentDriver;
  readonly args: readonly string[];
  readonly name: string;
  readonly folder: string;
  readonly store: StoreLocation;
  /** Its last conversation is opened again, where it has one. */
  readonly resumes?: boolean;
  /** What the user should know of his agent's version. */
  readonly warning?: Promise<string | undefined>;
}

/** Starts an agent under a name, and puts the user in front of it. */
export async function openAndRun(
  world: TerminalWorld,
  { driver, args, name, folder, store, resumes = false, warning }: NewTerminal,
): Promise<number> {
  const running = await listHosted(world);
  if (running.some(({ terminalId, exit }) => terminalId === name && exit === undefined)) throw new NameTakenError(name);
  const backend = await world.records.open(store, 'create');
  if (backend === undefined) throw new CliError('the store could not be made. Name another one with --store.');
  const { clock, newId, isGone } = world;
  const opened = openStore({ backend, clock, newId, isGone });
  try {
    const entry = await describeTerminal(world, { driver, args, name, folder, store });
    world.registry.put(entry);
    const warned = await warning;
    if (warned !== undefined) world.complain(`devs: ${visible(warned)}`);
    const supervision = await supervisionRequest(world, entry, { driver, store: opened });
    const { end, exitCode } = await runSession({
      world,
      name,
      folder,
      manner: 'use',
      from: 'start',
      supervision: {
        ...supervision,
        launch: { userArgs: args },
        ...(resumes ? { resumesStopped: { prompt: '' } } : {}), // its user says himself what is next
      },
    });
    tellEnd(world, name, end);
    return exitCode;
  } finally {
    await opened.close();
  }
}

async function describeTerminal(
  { records, clock }: TerminalWorld,
  { driver, name, folder, store }: NewTerminal,
): Promise<RegisteredTerminal> {
  const known: RegisteredTerminal['store'] =
    store.kind === 'redis'
      ? { kind: 'redis' }
      : { kind: 'sqlite', file: store.kind === 'project' ? (await records.here()).file : store.file };
  return { name, agent: driver.agent, folder, store: known, openedAt: clock.now() };
}

/** Of its own folder: one that runs, or crashed and may be resumed, keeps its name. */
async function freeName(world: TerminalWorld, refused: ReadonlySet<string>): Promise<string> {
  const running = await listHosted(world);
  const taken = new Set([
    ...refused,
    ...running.filter(({ exit }) => exit === undefined).map(({ terminalId }) => terminalId),
  ]);
  for (;;) {
    const name = chooseTerminalName(world.folder, (candidate) => taken.has(candidate));
    const entry = world.registry.get(name);
    if (entry === undefined || (entry.folder === world.folder && (await isOver(world, entry)))) return name;
    taken.add(name);
  }
}

async function isOver(world: TerminalWorld, entry: RegisteredTerminal): Promise<boolean> {
  const store = await openTerminalStore(world, entry).catch(() => undefined);
  if (store === undefined) return false;
  try {
    const recorded = await readRecordedTerminal(world, store.log, entry.name);
    return recorded === undefined || recorded.isStopped || ['clean', 'ended'].includes(recorded.exit?.kind ?? '');
  } finally {
    await store.close();
  }
}

/** It is asked while everything else is made ready; one that takes long for its answer does not keep its user waiting. */
async function untriedVersion(driver: AgentDriver, world: TerminalWorld): Promise<string | undefined> {
  const asked = driver.inspect(placeOf(world));
  const inspection = await Promise.race([asked, pause(LONGEST_ANSWER_MS, undefined, { ref: false })]);
  return inspection?.kind === 'installed' ? inspection.warning : undefined;
}

const LONGEST_ANSWER_MS = 1_500;

const placeOf = ({ folder, env, home }: TerminalWorld) => ({ folder, home: env.HOME ?? home, env });
