import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AgentCommand,
  type AgentDriver,
  type AgentEvent,
  type AgentWatch,
  isAcknowledged,
  type LaunchPlan,
  type LaunchRequest,
  readInput,
  showsPrompt,
  type TypingOutcome,
} from '@devs/core';
import { writePrivateFiles } from '@devs/drivers';
import { type ModelServer, startModelServer } from '@devs/model';
import { createPool, type PooledTerminal, typeConfirmed } from '@devs/terminals';
import { openTestHost } from '@devs/terminals/testing';
import { onTestFinished } from 'vitest';

export interface Scene {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly model: ModelServer;
}

/** A home, a project and a scripted model for one test. */
export async function openScene(): Promise<Scene> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-driver-')));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  mkdirSync(home);
  mkdirSync(project);
  const model = await startModelServer();
  onTestFinished(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return { folder, home, project, model };
}

/** A real agent in a terminal, followed by its driver, as the supervisor does it. */
export async function driveAgent(driver: AgentDriver, scene: Scene, request: Partial<LaunchRequest>) {
  const host = await openTestHost();
  const clock = { now: Date.now };
  const pool = createPool({ host: host.host, clock, limit: 1 });
  const events: AgentEvent[] = [];
  let watch: AgentWatch | undefined;
  let looking: NodeJS.Timeout | undefined;
  onTestFinished(async () => {
    clearInterval(looking);
    watch?.close();
    await pool.close();
    await host.dispose();
  });
  const terminalId = 'agent';
  const entry = (): PooledTerminal => pool.list()[0] as PooledTerminal;
  const view = () => pool.screen(terminalId)?.screen.view();

  const launch = async (changes: Partial<LaunchRequest> = {}): Promise<LaunchPlan> => {
    const plan = await driver.launch({
      folder: scene.project,
      home: scene.home,
      env: {},
      userArgs: [],
      conversation: { kind: 'first', id: randomUUID() },
      privateFolder: join(scene.folder, 'private'),
      ...request,
      ...changes,
    });
    await writePrivateFiles(plan.privateFiles);
    clearInterval(looking);
    watch?.close();
    const { command: file, args, env } = plan;
    const size = { columns: 120, rows: 40 };
    const outcome = await pool.spawn({ terminalId, file, args: [...args], env, cwd: scene.project, ...size });
    if (outcome.kind === 'refused') throw new Error(outcome.message);
    watch = driver.watch({
      folder: scene.project,
      home: scene.home,
      env,
      pid: outcome.terminal.pid,
      startedAt: outcome.terminal.spawnedAt,
      args: plan.args,
      ...(plan.conversationId === undefined ? {} : { conversationId: plan.conversationId }),
      onEvent(event) {
        events.push(event);
        if (event.type === 'signal.seen' || event.type === 'background.counted') pool.observe(terminalId, event);
      },
    });
    looking = setInterval(() => {
      const seen = view();
      if (seen !== undefined) watch?.seeScreen(seen);
    }, 50);
    return plan;
  };

  const until = async (what: string, isTrue: () => boolean): Promise<void> => {
    for (const deadline = Date.now() + LONGEST_MS; !isTrue(); await pause(20)) {
      if (Date.now() > deadline) throw new Error(`never seen: ${what}\n${describe()}`);
    }
  };
  const describe = () =>
    [
      JSON.stringify(entry()?.state.evidence),
      ...events.slice(-12).map((event) => JSON.stringify(event).slice(0, 300)),
      ...(view()?.lines ?? ['(no screen)']),
    ].join('\n');

  const type = async (text: string, isDelivered: () => boolean): Promise<TypingOutcome> => {
    await until('an input without what was typed before', () => {
      const seen = view();
      const input = seen === undefined ? undefined : readInput(seen, text, driver.input);
      return input === undefined || input.dialog || (input.prompt === 'drawn' && input.draft !== 'other');
    });
    return typeConfirmed({
      terminal: {
        look: () => (entry().state.activity === 'exited' ? 'exited' : (view() ?? 'exited')),
        write: (data) => pool.write(terminalId, data),
      },
      text,
      readInput: (seen, wanted) => readInput(seen, wanted, driver.input),
      isDelivered: async () => isDelivered(),
    });
  };

  return {
    events,
    launch,
    until,
    entry,
    view,
    describe,
    kill: () => pool.kill(terminalId, { graceMs: 2_000 }),
    press: (keys: string) => pool.write(terminalId, keys),
    /** A prompt, until the agent's own records show it. */
    async prompt(text: string): Promise<TypingOutcome> {
      const from = events.length;
      const isShown = (event: AgentEvent) => event.type === 'conversation.grew' && showsPrompt(event.events, text);
      for (;;) {
        const outcome = await type(text, () => events.slice(from).some(isShown));
        if (outcome.kind !== 'refused' || outcome.reason !== 'busy') return outcome;
        await pause(100); // a notice of something in the background began a turn
      }
    },
    /** A command of the agent, until its own records show that it was obeyed. */
    async command(name: AgentCommand): Promise<AgentEvent> {
      const from = events.length;
      const findProof = () => events.slice(from).find((event) => isAcknowledged(name, event));
      const outcome = await type(driver.commands[name] ?? '', () => findProof() !== undefined);
      const proof = findProof();
      if (proof === undefined)
        throw new Error(`${name} was not acknowledged: ${JSON.stringify(outcome)}\n${describe()}`);
      return proof;
    },
    last: <Type extends AgentEvent['type']>(type: Type) =>
      events.findLast((event) => event.type === type) as Extract<AgentEvent, { type: Type }> | undefined,
    all: <Type extends AgentEvent['type']>(type: Type) =>
      events.filter((event) => event.type === type) as Extract<AgentEvent, { type: Type }>[],
    /** By its own command. */
    async exit(): Promise<void> {
      const isExited = () => entry().state.activity === 'exited';
      await type(driver.commands.exit ?? '', isExited);
      await until('the exit', isExited);
    },
    untilIdle: () => until('idle', () => entry().state.activity === 'idle'),
  };
}

const LONGEST_MS = 45_000;
