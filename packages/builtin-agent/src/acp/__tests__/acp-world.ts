import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { AgentEvent, PermissionRules } from '@devs/core';
import { type ChannelWorld, until } from '@devs/core/testing';
import { createAcpDriver } from '@devs/drivers';
import { onTestFinished } from 'vitest';
import { runAcp } from '../run-acp.js';

const FIXTURE = fileURLToPath(new URL('../../../fixtures/acp-agent.mjs', import.meta.url));

interface Noted {
  readonly prompt?: string;
  readonly ran?: string;
}

export interface AcpWorld extends ChannelWorld {
  readonly folder: string;
  /** All that the terminal showed. */
  shown(): string;
  /** As keys. */
  press(keys: string): void;
  /** With the exit code, or why it could not. */
  readonly ended: Promise<number | Error>;
}

/** The program of devs that holds an ACP agent, in this process, with a real agent process behind it. */
export async function openAcpWorld({
  compact,
  rules = {},
  instructions,
}: {
  readonly compact?: string;
  readonly rules?: Partial<PermissionRules>;
  readonly instructions?: string;
} = {}): Promise<AcpWorld> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'devs-acp-')));
  const [folder, home, log] = [join(base, 'tree'), join(base, 'home'), join(base, 'log')];
  for (const path of [folder, home]) mkdirSync(path);
  const env = { PATH: process.env.PATH, ACP_FIXTURE_LOG: log };
  const input = new PassThrough() as unknown as NodeJS.ReadStream & PassThrough;
  const output = new PassThrough() as unknown as NodeJS.WriteStream & PassThrough;
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  const ending = new AbortController();
  let ids = 0;
  const ended = runAcp({
    setup: {
      name: 'mine',
      command: [process.execPath, FIXTURE],
      folder,
      user: { home, env },
      conversationId: 'first',
      servers: {},
      permissions: { mode: 'ask', allow: [], ask: [], deny: [], ...rules },
      compact,
      instructions,
      version: '1.0.0',
      pid: process.pid,
      clock: Date,
      newId: () => `id-${++ids}`,
    },
    input,
    output,
    signal: ending.signal,
  }).catch((error: Error) => error);
  const events: AgentEvent[] = [];
  const driver = createAcpDriver(
    { name: 'mine', acp: [process.execPath, FIXTURE], ...(compact === undefined ? {} : { compact }) },
    { clock: Date, everyMs: 20, command: ['devs', 'acp'] },
  );
  const place = { folder, home, env, pid: process.pid };
  const watch = driver.watch({
    ...place,
    startedAt: Date.now() - 1_000,
    args: [],
    conversationId: 'first',
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
    folder,
    ended,
    prompts: { answer: '[[say Fine.]]', endless: '[[endless]]', asks: '[[run make deploy]]' },
    done: () => noted().filter(({ ran }) => ran !== undefined).length,
    heard: () => noted().flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt])),
    shown: () => shown,
    press: (keys) => void input.write(keys),
  };
}
