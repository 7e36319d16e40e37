import { randomUUID } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type AgentDriver,
  type AgentEvent,
  observeTerminal,
  readInput,
  type ScreenView,
  showsPrompt,
  startedTerminal,
} from '@devs/core';
import { createClaudeCodeDriver, createCodexDriver, writePrivateFiles } from '@devs/drivers';
import { openScreen, typeConfirmed } from '@devs/terminals';
import { openTestHost } from '@devs/terminals/testing';
import type { Place, Prompted } from './channel-place.js';

const DEVS = fileURLToPath(new URL('../../../packages/cli/bin/devs.mjs', import.meta.url));
const holder = (name: string) => [process.execPath, DEVS, name];
const clock = { now: Date.now };

export const driveClaude = (place: Place, program: string, transport: 'stream' | 'terminal'): Promise<Prompted> =>
  drive(place, createClaudeCodeDriver({ clock, holder: holder('stream-json') }), program, transport);

/** Its launcher is a file of Node. */
export function driveCodex(place: Place, program: string, transport: 'stream' | 'terminal'): Promise<Prompted> {
  const launcher = join(place.folder, 'codex');
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(launcher, 0o755);
  return drive(place, createCodexDriver({ clock, holder: holder('codex-server') }), launcher, transport);
}

/** An agent in a terminal of the host, as the supervisor starts, follows and prompts it. */
async function drive(
  place: Place,
  driver: AgentDriver,
  command: string,
  transport: 'stream' | 'terminal',
): Promise<Prompted> {
  const opened = await openTestHost();
  const { plan, privateFolder } = await launch(place, driver, command, transport);
  const { home, project: folder } = place;
  const { args, env, conversationId } = plan;
  const size = { columns: 120, rows: 40 };
  const request = { terminalId: 'a', file: plan.command, args: [...args], env, cwd: folder, ...size };
  const spawned = await opened.host.spawn(request);
  if (spawned.kind === 'refused') throw new Error(spawned.message);
  const { terminal } = spawned;
  const screen = await openScreen({ host: opened.host, terminalId: 'a', answersQueries: true });
  const agent: DrivenAgent = {
    driver,
    events: [],
    state: startedTerminal(terminal.spawnedAt),
    view: () => screen.screen.view(),
  };
  const write = (data: string) => opened.host.write(terminal, data);
  const onEvent = (event: AgentEvent) => {
    agent.events.push(event);
    if (event.type === 'signal.seen' || event.type === 'background.counted')
      agent.state = observeTerminal(agent.state, event);
  };
  const about = { folder, home, env, pid: terminal.pid, program: plan.command, privateFolder, onEvent };
  const named = conversationId === undefined ? {} : { conversationId };
  const watch = driver.watch({ ...about, startedAt: terminal.spawnedAt, args, ...named });
  const channel = driver.channel?.({ ...about, write });
  const looking = setInterval(() => watch.seeScreen(agent.view()), 50);
  place.closers.push(async () => {
    clearInterval(looking);
    watch.close();
    channel?.close?.();
    await screen.close();
    await opened.dispose();
  });
  await untilIdle(agent);
  if (transport === 'terminal') return prompting(agent, (text, from) => typeInto(agent, write, text, from));
  if (channel === undefined) throw new Error(`${driver.agent} has no channel`);
  return prompting(agent, (text) => channel.prompt(text, randomUUID()));
}

interface DrivenAgent {
  readonly driver: AgentDriver;
  readonly events: AgentEvent[];
  state: ReturnType<typeof startedTerminal>;
  view(): ScreenView;
}

async function launch(place: Place, driver: AgentDriver, command: string, transport: 'stream' | 'terminal') {
  const { home, project: folder, env } = place;
  const privateFolder = join(place.folder, `private-${transport}`);
  const plan = await driver.launch({
    ...{ folder, home, env, command, userArgs: [], privateFolder, transport },
    ...{ conversation: { kind: 'first', id: randomUUID() }, unattended: true, trustsFolder: true },
  });
  await writePrivateFiles(plan.privateFiles);
  return { plan, privateFolder };
}

const prompting =
  (agent: DrivenAgent, give: (text: string, from: number) => Promise<unknown>): Prompted =>
  async (text) => {
    await untilIdle(agent);
    const from = agent.events.length;
    await give(text, from);
    await until(agent, () => agent.events.slice(from).some(({ type }) => type === 'turn.ended'));
  };

const typeInto = ({ driver, events, view }: DrivenAgent, write: Write, text: string, from: number) =>
  typeConfirmed({
    terminal: { look: view, write },
    text,
    readInput: (seen, wanted) => readInput(seen, wanted, driver.input),
    isDelivered: async () =>
      events.slice(from).some((event) => event.type === 'conversation.grew' && showsPrompt(event.events, text)),
  });

type Write = Parameters<typeof typeConfirmed>[0]['terminal']['write'];

const untilIdle = (agent: DrivenAgent) => until(agent, () => agent.state.activity === 'idle');

async function until({ events, view }: DrivenAgent, isTrue: () => boolean): Promise<void> {
  for (const deadline = Date.now() + MAX_MS; !isTrue(); await pause(5))
    if (Date.now() > deadline)
      throw new Error(`never seen: ${JSON.stringify(events.at(-1))}\n${view().lines.join('\n')}`);
}

const MAX_MS = 60_000;
