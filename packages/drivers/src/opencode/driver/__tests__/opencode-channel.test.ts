import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentEvent } from '@devs/core';
import { agentChannelContract, type ChannelWorld, until } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databasePath } from '../../open-database.js';
import { createOpencodeDriver } from '../create-opencode-driver.js';
import { serverFile } from '../opencode-server.js';
import { startOpencodeDouble } from './opencode-double.js';

type Double = Awaited<ReturnType<typeof startOpencodeDouble>>;

interface World extends ChannelWorld {
  readonly double: Double;
  see(lines: readonly string[]): void;
}

async function openWorld(): Promise<World> {
  const home = mkdtempSync(join(tmpdir(), 'devs-opencode-'));
  const privateFolder = join(home, 'private');
  const place = { folder: home, home, env: {} };
  mkdirSync(privateFolder);
  mkdirSync(dirname(databasePath(home, {})), { recursive: true });
  const double = await startOpencodeDouble(databasePath(home, {}));
  writeFileSync(serverFile(privateFolder), JSON.stringify(double.server));
  const events: AgentEvent[] = [];
  const driver = createOpencodeDriver({ clock: { now: Date.now }, everyMs: 20 });
  const watch = driver.watch({
    ...place,
    pid: process.pid,
    startedAt: Date.now(),
    args: [],
    privateFolder,
    onEvent: (event) => void events.push(event),
  });
  const channel = driver.channel?.({ ...place, pid: process.pid, privateFolder, write: async () => 'written' });
  if (channel === undefined) throw new Error('there is no channel');
  onTestFinished(async () => {
    watch.close();
    await double.close();
    rmSync(home, { recursive: true, force: true });
  });
  await until(() => events.some((event) => event.type === 'signal.seen' && event.says === 'idle'));
  const view = { columns: 80, rows: [], cursor: { row: 0, column: 0 }, title: '', bracketedPaste: true };
  return {
    channel,
    events,
    double,
    prompts: { answer: 'Say it', endless: '[[endless]]', asks: '[[ask]]' },
    done: double.done,
    heard: double.heard,
    see: (lines) => watch.seeScreen({ ...view, lines, alternateScreen: true }),
  };
}

const find = <Type extends AgentEvent['type']>({ events }: ChannelWorld, type: Type) =>
  events.find((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);

describe('the channel to opencode', () => {
  it.each(Object.entries(agentChannelContract))('%s', async (_sentence, prove) => {
    await prove(await openWorld());
  });

  it('says how full the context is, and how large its window', async () => {
    const world = await openWorld();
    await world.channel.prompt('Say it', 'p-1');
    await until(() => find(world, 'usage.measured')?.window === 'recorded');
    expect(find(world, 'usage.measured')).toMatchObject({ usage: { usedTokens: 1_234, windowTokens: 200_000 } });
  });

  it('takes the answer of a person at the terminal', async () => {
    const world = await openWorld();
    await world.channel.prompt('[[ask]]', 'p-1');
    await until(() => find(world, 'permission.asked') !== undefined);
    expect(find(world, 'permission.asked')).toMatchObject({ tool: 'bash', detail: 'make deploy' });
    world.double.pressInTui.allow();
    await until(() => find(world, 'permission.settled') !== undefined);
    expect(find(world, 'permission.settled')).toMatchObject({ by: 'terminal', choice: 'once' });
  });

  it('asks no more for what a person interrupted, though opencode lists it for ever', async () => {
    const world = await openWorld();
    await world.channel.prompt('[[ask]]', 'p-1');
    await until(() => find(world, 'permission.asked') !== undefined);
    world.double.pressInTui.interrupt();
    await until(() => find(world, 'permission.settled') !== undefined);
    expect(find(world, 'permission.settled')).toMatchObject({ by: 'turn' });
    await world.channel.prompt('[[endless]]', 'p-2');
    await until(() => world.events.filter(({ type }) => type === 'prompt.accepted').length === 2);
    await until(() => world.events.some((event) => event.type === 'signal.seen' && event.detail === 'busy'));
    expect(world.events.filter(({ type }) => type === 'permission.asked')).toHaveLength(1);
  });

  it('follows a conversation that its user opened in the TUI', async () => {
    const world = await openWorld();
    await world.channel.prompt('Say it', 'p-1');
    await until(() => find(world, 'turn.ended') !== undefined);
    const { id } = world.double.pressInTui.open();
    await until(() =>
      world.events.some((event) => event.type === 'conversation.changed' && event.conversationId === id),
    );
    await world.channel.prompt('Say more', 'p-2');
    await until(() => world.double.calls().includes(`POST /session/${id}/prompt_async`));
  });

  it('stays in a conversation that was cleared, though news of the one before comes late', async () => {
    const world = await openWorld();
    const changes = () => world.events.flatMap((event) => (event.type === 'conversation.changed' ? [event] : []));
    await world.channel.prompt('Say it', 'p-1');
    await until(() => find(world, 'turn.ended') !== undefined);
    world.double.holdBack();
    await world.channel.prompt('Say more', 'p-2');
    await until(() => world.double.heard().length === 2);
    await world.channel.clear();
    await until(() => changes().length === 2);
    world.double.release();
    await world.channel.prompt('Say it here', 'p-3');
    await until(() => world.events.some((event) => event.type === 'prompt.accepted' && event.promptId === 'p-3'));
    expect(changes()).toHaveLength(2);
  });

  it('stays in a conversation that was cleared, though a turn of the conversation before continues', async () => {
    const world = await openWorld();
    const changes = () => world.events.flatMap((event) => (event.type === 'conversation.changed' ? [event] : []));
    await world.channel.prompt('[[endless]]', 'p-1');
    await until(() => world.events.some((event) => event.type === 'signal.seen' && event.detail === 'busy'));
    await world.channel.clear();
    await until(() => changes().length === 2);
    world.double.step();
    await world.channel.prompt('Say it here', 'p-2');
    await until(() => world.events.some((event) => event.type === 'prompt.accepted' && event.promptId === 'p-2'));
    expect(changes()).toHaveLength(2);
  });

  it('hears the process again after it was cut off', async () => {
    const world = await openWorld();
    world.double.drop();
    await world.channel.prompt('[[ask]]', 'p-1');
    await until(() => find(world, 'permission.asked') !== undefined);
  });

  it('shows a conversation of its own as soon as the first screen is drawn', async () => {
    const world = await openWorld();
    await world.channel.prompt('Say it', 'p-1');
    const shown = () => world.double.calls().filter((call) => call === 'POST /tui/select-session').length;
    expect(shown()).toBe(1);
    world.see(['  ┃  Ask anything… "Fix a bug"', '  ┃  Build · scripted-1 scripted', '  ╹▀▀▀▀▀▀▀▀▀▀▀▀']);
    await until(() => shown() === 2);
  });

  it.each([
    ['login', { name: 'ProviderAuthError', data: { message: 'no key' } }],
    ['login', { name: 'APIError', data: { message: 'bad key', statusCode: 401 } }],
    ['model', { name: 'APIError', data: { message: 'no model', statusCode: 404 } }],
    ['quota', { name: 'APIError', data: { message: 'too many', statusCode: 429 } }],
    ['overload', { name: 'APIError', data: { message: 'busy', statusCode: 503 } }],
    ['overflow', { name: 'ContextOverflowError', data: { message: 'too long' } }],
    ['policy', { name: 'ContentFilterError', data: { message: 'no' } }],
    ['other', { name: 'UnknownError', data: { message: 'strange' } }],
  ] as const)('tells an error by its kind: %s', async (kind, error) => {
    const world = await openWorld();
    world.double.failWith(error);
    await world.channel.prompt('Say it', 'p-1');
    await until(() => find(world, 'error.reported') !== undefined);
    expect(find(world, 'error.reported')).toMatchObject({ kind, detail: error.data.message });
    await until(() => find(world, 'turn.ended') !== undefined);
  });
});
