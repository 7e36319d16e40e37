import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentDriver } from '@devs/core';
import type { TerminalOrder } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { StoreLocation } from '../store-access/store-location.js';
import { chooseFreeName } from './names/choose-free-name.js';
import { checkTerminalName } from './names/terminal-name.js';
import { tellEnd } from './session/describe-window.js';
import { runSession } from './session/run-session.js';
import type { TerminalDeps } from './terminal-world.js';

/** A terminal with this name already exists. */
class NameTakenError extends CliError {
  constructor(name: string) {
    super(`a terminal "${name}" runs already. Go to it with \`devs attach ${name}\`, or choose another --name.`);
  }
}

export interface AgentStart {
  readonly agent: string;
  /** As the user typed them. */
  readonly args: readonly string[];
  readonly name?: string;
  readonly store: StoreLocation;
}

/**
 * Starts the user's own CLI in a terminal that outlives this process; directly for a non-interactive call. Returns its
 * exit code.
 */
export async function startAgent(world: TerminalDeps, { agent, args, name, store }: AgentStart): Promise<number> {
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
    if (isInside && plan.manner !== 'one-off') world.warn(`devs: this is a terminal of devs; ${agent} runs directly.`);
    return runDirectly({ command: plan.command, args, env: world.env, folder: world.folder });
  }
  const warning = untriedVersion(driver, world);
  const { problems } = await world.choicesIn(world.folder);
  for (const problem of problems) world.warn(`devs: ${visible(problem)}`);
  const refused = new Set<string>();
  for (;;) {
    const chosen = name ?? (await chooseFreeName(world, refused));
    try {
      return await openAndRun(world, { driver, args, name: chosen, folder: world.folder, store, warning });
    } catch (error) {
      if (!(error instanceof NameTakenError) || name !== undefined) throw error;
      refused.add(chosen); // another process took it at the same moment
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
  /** A warning about the agent's version. */
  readonly warning?: Promise<string | undefined>;
}

/** Starts an agent under a name, and puts the user in front of it. */
export async function openAndRun(
  world: TerminalDeps,
  { driver, args, name, folder, store, resumes = false, warning }: NewTerminal,
): Promise<number> {
  const { supervisor, caller, newId, local } = world;
  const window = newId();
  const order: TerminalOrder = {
    token: newId(),
    name,
    agent: driver.agent,
    folder,
    store,
    subject: { kind: resumes ? 'resume' : 'start', args },
    window,
    size: local.size(),
  };
  const warned = await warning;
  if (warned !== undefined) world.warn(`devs: ${visible(warned)}`);
  const started = await supervisor.use((port) => port.terminals.start(order, caller));
  if (started.status === 'taken') throw new NameTakenError(name);
  if (started.status === 'refused') throw new CliError(visible(started.reason));
  if (started.status !== 'started') throw new CliError(`"${name}" ended before it was seen. See \`devs log\`.`);
  for (const note of started.notes) world.warn(`devs: ${visible(note)}`);
  const { end, exitCode } = await runSession({ world, name, folder, manner: 'use', from: 'start', window });
  tellEnd(world, name, end);
  return exitCode;
}

/** Runs in parallel with other preparations; a slow agent does not delay its user. */
async function untriedVersion(driver: AgentDriver, world: TerminalDeps): Promise<string | undefined> {
  const asked = driver.inspect(placeOf(world));
  const inspection = await Promise.race([asked, pause(MAX_ANSWER_MS, undefined, { ref: false })]);
  return inspection?.kind === 'installed' ? inspection.warning : undefined;
}

const MAX_ANSWER_MS = 1_500;

const placeOf = ({ folder, env, home }: TerminalDeps) => ({ folder, home: env.HOME ?? home, env });

interface DirectRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

/** Runs the user's own program as if we were not there: it has their input, output, signals and exit code. */
function runDirectly({ command, args, env, folder }: DirectRun): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { stdio: 'inherit', env: env as NodeJS.ProcessEnv, cwd: folder });
    // Ctrl-C reaches both of us; what it means is the program's to decide. What only we got is passed on.
    const ignore = () => {};
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    process.on('SIGINT', ignore);
    process.on('SIGQUIT', ignore);
    process.on('SIGTERM', pass);
    process.on('SIGHUP', pass);
    const settle = () => {
      process.off('SIGINT', ignore);
      process.off('SIGQUIT', ignore);
      process.off('SIGTERM', pass);
      process.off('SIGHUP', pass);
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      settle();
      reject(
        new CliError(
          error.code === 'ENOENT'
            ? `${command} was not found on your PATH. \`devs doctor\` says how to install it.`
            : error.message,
        ),
      );
    });
    child.once('close', (code, signal) => {
      settle();
      resolve(signal === null ? (code ?? 0) : 128 + constants.signals[signal]);
    });
  });
}
