import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { AgentEvent, PermissionRules } from '@devs/core';
import { type ChannelWorld, until } from '@devs/core/testing';
import { createClaudeCodeDriver } from '@devs/drivers';
import { onTestFinished } from 'vitest';
import { runStream } from '../run-stream.js';

const FIXTURE = fileURLToPath(new URL('../../../fixtures/stream-agent.mjs', import.meta.url));

interface Noted {
  readonly prompt?: string;
  readonly ran?: string;
  readonly lasting?: unknown;
}

export interface StreamWorld extends ChannelWorld {
  readonly home: string;
  /** All that the terminal showed. */
  shown(): string;
  /** As keys. */
  press(keys: string): void;
  noted(): readonly Noted[];
}

/** The program of devs that holds a Claude Code, in this process, with a program behind it that speaks as Claude Code does. */
export async function openStreamWorld({
  rules = {},
}: {
  readonly rules?: Partial<PermissionRules>;
} = {}): Promise<StreamWorld> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'devs-stream-')));
  const [folder, home, log] = [join(base, 'tree'), join(base, 'home'), join(base, 'log')];
  for (const path of [folder, home]) mkdirSync(path);
  const env = { PATH: process.env.PATH, HOME: home, STREAM_FIXTURE_LOG: log };
  const input = new PassThrough() as unknown as NodeJS.ReadStream & PassThrough;
  const output = new PassThrough() as unknown as NodeJS.WriteStream & PassThrough;
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  const ending = new AbortController();
  const conversationId = randomUUID();
  const ended = runStream({
    setup: {
      name: 'claude',
      command: [process.execPath, FIXTURE, `--session-id=${conversationId}`],
      folder,
      user: { home, env },
      conversationId,
      permissions: { mode: 'ask', allow: [], ask: [], deny: [], ...rules },
      pid: process.pid,
      clock: Date,
      newId: randomUUID,
    },
    input,
    output,
    signal: ending.signal,
  }).catch((error: Error) => error);
  const events: AgentEvent[] = [];
  const driver = createClaudeCodeDriver({ clock: Date, everyMs: 20, holder: ['node', 'devs', 'stream-json'] });
  const place = { folder, home, env, pid: process.pid, program: '/usr/bin/node' };
  const watch = driver.watch({
    ...place,
    startedAt: Date.now() - 1_000,
    args: [],
    conversationId,
    onEvent: (event) => void events.push(event),
  });
  onTestFinished(async () => {
    watch.close();
    ending.abort();
    await ended;
    rmSync(base, { recursive: true, force: true, maxRetries: 10 });
  });
  const write = async (data: string) => {
    input.write(data);
    return 'written' as const;
  };
  const channel = driver.channel?.({ ...place, write });
  if (channel === undefined) throw new Error('no channel');
  const noted = () =>
    (existsSync(log) ? readFileSync(log, 'utf8') : '')
      .split('\n')
      .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Noted] : []));
  await until(
    () => events.some((event) => event.type === 'signal.seen' && event.says === 'idle'),
    () => `idle: ${shown}`,
  );
  return {
    channel,
    events,
    home,
    prompts: { answer: '[[say Fine.]]', endless: '[[endless]]', asks: '[[run make deploy]]' },
    done: () => noted().filter(({ ran }) => ran !== undefined).length,
    heard: () => noted().flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt])),
    noted,
    shown: () => shown,
    press: (keys) => void input.write(keys),
  };
}
