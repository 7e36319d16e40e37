import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '@devs/core';
import { agentChannelContract, type ChannelWorld, until } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCodexDriver } from '../../driver/create-codex-driver.js';
import { channelFiles } from '../channel-files.js';
import { holdCodex } from '../hold-codex.js';
import { type AppServerOptions, startAppServer } from './app-server.js';

const NOTHING = { command: process.execPath, args: ['--eval', ''] };
const PID = 4_000_000;

function openFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-cx-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface CodexWorld extends ChannelWorld {
  readonly threads: () => number;
  /** The channel of the next supervisor; this one is gone. */
  again(): readonly AgentEvent[];
}

async function openWorld(permissions?: object, options: Partial<AppServerOptions> = {}): Promise<CodexWorld> {
  const home = openFolder();
  const privateFolder = join(home, 'private');
  mkdirSync(privateFolder);
  const socket = join(home, 's');
  const server = await startAppServer({ socket, home, ...options });
  const files = channelFiles(privateFolder);
  const launch = { server: NOTHING, screen: NOTHING, typed: NOTHING, thread: { cwd: home }, permissions };
  writeFileSync(files.launch, JSON.stringify(launch));
  writeFileSync(files.state, JSON.stringify({ pid: PID, kind: 'channel', socket }));
  const events: AgentEvent[] = [];
  const driver = createCodexDriver({ clock: Date, everyMs: 20, holder: ['devs'] });
  const place = { folder: home, home, env: {}, pid: PID, privateFolder };
  const onEvent = (event: AgentEvent) => void events.push(event);
  const watch = driver.watch({ ...place, startedAt: Date.now(), args: [], onEvent });
  const channel = driver.channel?.({ ...place, onEvent, write: async () => 'written' });
  onTestFinished(() => {
    watch.close();
    channel?.close?.();
    server.close();
  });
  if (channel === undefined) throw new Error('no channel');
  await until(() => events.some((event) => event.type === 'signal.seen' && event.says === 'idle'));
  return {
    threads: server.threads,
    again() {
      channel.close?.();
      const next: AgentEvent[] = [];
      const onNext = (event: AgentEvent) => void next.push(event);
      const another = driver.channel?.({ ...place, onEvent: onNext, write: async () => 'written' });
      onTestFinished(() => another?.close?.());
      return next;
    },
    channel,
    events,
    prompts: { answer: 'Answer', endless: 'Work', asks: 'Ask' },
    done: server.done,
    heard: server.heard,
  };
}

const states = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'signal.seen' ? [event.says] : []));

describe('the channel to Codex', () => {
  for (const [title, proves] of Object.entries(agentChannelContract))
    it(title, async () => {
      await proves(await openWorld());
    });

  it('answers by the rules of the user, and asks only what they leave open', async () => {
    const { channel, events, done } = await openWorld({ mode: 'ask', allow: ['touch made'], ask: [], deny: [] });
    await channel.prompt('Ask', 'p-1');
    await until(() => done() === 1);
    expect(events.filter(({ type }) => type === 'permission.asked')).toEqual([]);
  });

  it('takes no prompt while a turn is under way: that would change the turn', async () => {
    const { channel, events, heard } = await openWorld();
    await channel.prompt('Work', 'p-1');
    await until(() => events.some(({ type }) => type === 'prompt.accepted'));
    expect([await channel.prompt('Answer', 'p-2'), await channel.compact()]).toEqual(['full', 'full']);
    expect(heard()).toEqual(['Work']);
  });

  it('begins no second conversation beside a prompt whose supervisor died before it was answered', async () => {
    const { channel, events, again, threads } = await openWorld(undefined, { isFirstUnanswered: true });
    void channel.prompt('Work', 'p-1');
    await until(() => events.some(({ type }) => type === 'prompt.accepted'));
    const next = again();
    await until(() => states(next).length > 0);
    expect([states(next), threads()]).toEqual([['busy'], 1]);
  });

  it('is idle where the turn ended while the next supervisor connected', async () => {
    const { channel, events, again } = await openWorld(undefined, { endsWhileResumed: true });
    await channel.prompt('Work', 'p-1');
    await until(() => events.some(({ type }) => type === 'prompt.accepted'));
    const next = again();
    await until(() => states(next).length > 1);
    expect(states(next)).toEqual(['idle', 'idle']); // its end, and what was resumed
  });

  it('begins another conversation where the first prompt of the one before never arrived', async () => {
    const { again, threads } = await openWorld();
    const next = again();
    await until(() => states(next).includes('idle'));
    expect(threads()).toBe(2);
  });

  it('measures how full the context is by what the server says', async () => {
    const { channel, events } = await openWorld();
    await channel.compact();
    await until(() => events.some(({ type }) => type === 'usage.measured'));
    expect(events.find(({ type }) => type === 'usage.measured')).toMatchObject({
      usage: { usedTokens: 4_000, windowTokens: 190_000 },
      window: 'recorded',
    });
  });
});

describe('the program that holds the app server', () => {
  it('runs Codex as it always did where the server ends, and says why', async () => {
    const folder = openFolder();
    const exits = (code: number) => ({ command: process.execPath, args: ['--eval', `process.exit(${code})`, '--'] });
    writeFileSync(
      channelFiles(folder).launch,
      JSON.stringify({ server: exits(3), screen: NOTHING, typed: exits(7), thread: {} }),
    );
    const said: string[] = [];
    const { signal } = new AbortController();
    expect(await holdCodex({ folder, pid: 7, say: (text) => said.push(text), signal })).toBe(7);
    expect(JSON.parse(readFileSync(channelFiles(folder).state, 'utf8'))).toEqual({
      pid: 7,
      kind: 'typed',
      why: 'it ended with code 3',
    });
    expect(said.join('\n')).toContain('typed into instead');
  });
});
