import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { AgentDriver, AgentEvent } from '@devs/core';
import { type ChannelWorld, until } from '@devs/core/testing';
import { onTestFinished } from 'vitest';

interface Noted {
  readonly prompt?: string;
  readonly ran?: string;
  readonly lasting?: unknown;
}

export interface HeldWorld extends ChannelWorld {
  readonly folder: string;
  readonly home: string;
  /** All that the terminal showed. */
  shown(): string;
  /** As keys. */
  press(keys: string): void;
  /** What the program behind it noted. */
  noted(): readonly Noted[];
  /** With the exit code, or why it could not. */
  readonly ended: Promise<number | Error>;
}

interface Holding {
  readonly folder: string;
  readonly user: { readonly home: string; readonly env: NodeJS.ProcessEnv };
  readonly streams: {
    readonly input: NodeJS.ReadStream;
    readonly output: NodeJS.WriteStream;
    readonly signal: AbortSignal;
  };
}

interface HeldAgent {
  /** Names the variable of the fixture's log. */
  readonly kind: 'ACP' | 'STREAM';
  readonly conversationId: string;
  readonly driver: AgentDriver;
  readonly program?: string;
  hold(holding: Holding): Promise<number>;
}

/** A program of devs that holds an agent, in this process, with a real agent process behind it. */
export async function openHeldWorld({ kind, conversationId, driver, program, hold }: HeldAgent): Promise<HeldWorld> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), `devs-${kind.toLowerCase()}-`)));
  const [folder, home, log] = [join(base, 'tree'), join(base, 'home'), join(base, 'log')];
  for (const path of [folder, home]) mkdirSync(path);
  const env = { PATH: process.env['PATH'], HOME: home, [`${kind}_FIXTURE_LOG`]: log };
  const input = new PassThrough() as unknown as NodeJS.ReadStream & PassThrough;
  const output = new PassThrough() as unknown as NodeJS.WriteStream & PassThrough;
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  const ending = new AbortController();
  const streams = { input, output, signal: ending.signal };
  const ended = hold({ folder, user: { home, env }, streams }).catch((error: Error) => error);
  const events: AgentEvent[] = [];
  const place = { folder, home, env, pid: process.pid, ...(program === undefined ? {} : { program }) };
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
    folder,
    home,
    ended,
    prompts: { answer: '[[say Fine.]]', endless: '[[endless]]', asks: '[[run make deploy]]' },
    done: () => noted().filter(({ ran }) => ran !== undefined).length,
    heard: () => noted().flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt])),
    noted,
    shown: () => shown,
    press: (keys) => void input.write(keys),
  };
}
