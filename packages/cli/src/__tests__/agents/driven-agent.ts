import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AgentChannel,
  type AgentCommand,
  type AgentDriver,
  type AgentEvent,
  type AgentWatch,
  isAcknowledged,
  type LaunchPlan,
  type LaunchRequest,
  observeTerminal,
  readInput,
  showsPrompt,
  startedTerminal,
  type TypingOutcome,
} from '@devs/core';
import { writePrivateFiles } from '@devs/drivers';
import { type ModelServer, startModelServer } from '@devs/scripted-model';
import { type HostedTerminal, type OpenScreen, openScreen, pressConfirmed, typeConfirmed } from '@devs/terminals';
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
  const opened = await openTestHost();
  const { host } = opened;
  const events: AgentEvent[] = [];
  let watch: AgentWatch | undefined;
  let channel: AgentChannel | undefined;
  let looking: NodeJS.Timeout | undefined;
  let hosted: HostedTerminal | undefined;
  let screen: OpenScreen | undefined;
  let state = startedTerminal(0);
  onTestFinished(async () => {
    clearInterval(looking);
    watch?.close();
    await screen?.close();
    await opened.dispose();
  });
  const terminalId = 'agent';
  const entry = () => ({ state });
  const view = () => screen?.screen.view();
  const write = async (data: string) => (hosted === undefined ? 'exited' : host.write(hosted, data));
  const take = async (terminal: HostedTerminal) => {
    await screen?.close();
    hosted = terminal;
    state = startedTerminal(terminal.spawnedAt);
    screen = await openScreen({
      host,
      terminalId,
      answersQueries: true,
      onExit({ exit, handle }) {
        if (exit === undefined || handle !== hosted?.handle) return;
        const { exitCode, signal, at } = exit;
        const how = { exitCode, ...(signal === undefined ? {} : { signal }) };
        state = observeTerminal(state, { type: 'terminal.exited', at, ...how });
      },
    });
  };

  const launch = async (changes: Partial<LaunchRequest> = {}): Promise<LaunchPlan> => {
    const privateFolder = join(scene.folder, 'private');
    const plan = await driver.launch({
      folder: scene.project,
      home: scene.home,
      env: {},
      userArgs: [],
      conversation: { kind: 'first', id: randomUUID() },
      privateFolder,
      ...request,
      ...changes,
    });
    await writePrivateFiles(plan.privateFiles);
    clearInterval(looking);
    watch?.close();
    const { command: file, args, env } = plan;
    const size = { columns: 120, rows: 40 };
    const outcome = await host.spawn({ terminalId, file, args: [...args], env, cwd: scene.project, ...size });
    if (outcome.kind === 'refused') throw new Error(outcome.message);
    await take(outcome.terminal);
    watch = driver.watch({
      folder: scene.project,
      home: scene.home,
      env,
      pid: outcome.terminal.pid,
      startedAt: outcome.terminal.spawnedAt,
      args: plan.args,
      privateFolder,
      ...(plan.conversationId === undefined ? {} : { conversationId: plan.conversationId }),
      onEvent(event) {
        events.push(event);
        if (event.type === 'signal.seen' || event.type === 'background.counted') state = observeTerminal(state, event);
      },
    });
    const { pid } = outcome.terminal;
    channel = driver.channel?.({ folder: scene.project, home: scene.home, env, pid, privateFolder, write });
    looking = setInterval(() => {
      const seen = view();
      if (seen !== undefined) watch?.seeScreen(seen);
    }, 50);
    return plan;
  };

  const until = async (what: string, isTrue: () => boolean): Promise<void> => {
    for (const deadline = Date.now() + MAX_MS; !isTrue(); await pause(20)) {
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
        write,
      },
      text,
      readInput: (seen, wanted) => readInput(seen, wanted, driver.input),
      isDelivered: async () => isDelivered(),
      ...(driver.typing === undefined ? {} : { policy: driver.typing }),
    });
  };

  /** Waits while it is at work again: for a hook after its turn, or for something in the background. */
  const typeOnceIdle = async (text: string, isDelivered: () => boolean): Promise<TypingOutcome> => {
    for (;;) {
      const outcome = await type(text, isDelivered);
      if (outcome.kind !== 'refused' || outcome.reason !== 'busy') return outcome;
      await pause(100);
    }
  };

  return {
    events,
    launch,
    until,
    entry,
    view,
    describe,
    /** Of the process that runs. */
    channel(): AgentChannel {
      if (channel === undefined) throw new Error('this agent has no channel');
      return channel;
    },
    kill: () => host.end(terminalId, { graceMs: 2_000 }),
    press: write,
    /** Answers the dialog that it shows, by keys. */
    async answer(keys: string): Promise<void> {
      const isAsked = () => entry().state.activity === 'waiting';
      const outcome = await pressConfirmed({ terminal: { write }, keys, isAsked });
      if (outcome !== 'taken') throw new Error(`the dialog stands\n${describe()}`);
    },
    /** A prompt, until the agent's own records show it. */
    async prompt(text: string): Promise<TypingOutcome> {
      const from = events.length;
      const isShown = (event: AgentEvent) => event.type === 'conversation.grew' && showsPrompt(event.events, text);
      return typeOnceIdle(text, () => events.slice(from).some(isShown));
    },
    /** A command of the agent, until its own records show that it was obeyed. */
    async command(name: AgentCommand): Promise<AgentEvent> {
      const from = events.length;
      const findProof = () => events.slice(from).find((event) => isAcknowledged(name, event));
      const outcome = await typeOnceIdle(driver.commands[name] ?? '', () => findProof() !== undefined);
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

/** As `until` of the other tests: after this it will never happen. */
const MAX_MS = 150_000;
