import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '@devs/core';
import { openSqliteBackend } from '@devs/store';
import { openHostIn, superviseTerminal } from '@devs/supervisor';
import { fixtureDriver, fixtureSource } from '@devs/supervisor/testing';
import nodePty from '@lydell/node-pty';

const ROUNDS = 40;
/** What we may add to the time that ending one agent and starting the next takes by itself. */
const OWN_BAR_MS = 1_000;

interface Place {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly env: Record<string, string>;
}

/**
 * From the moment that an agent over its firm mark is idle to the first prompt of its successor, by the agents' own
 * records; compared with the same agents ended and started by bare node-pty, without a document, a checkpoint or a
 * record.
 */
export async function compareRenewals(): Promise<void> {
  const bare = await inPlace(renewBare);
  const ours = await inPlace(renewSupervised);
  console.log(
    '\nfrom the mark to the first prompt of the new agent (a fixture agent, one prompt and one change each)\n',
  );
  print('bare: end, start, first prompt', bare);
  print('renewed by the supervisor', ours);
  const ratio = quantile(ours, 0.95) / quantile(bare, 0.95);
  const own = quantile(ours, 0.95) - quantile(bare, 0.5);
  const verdict = own <= OWN_BAR_MS ? 'met' : 'NOT MET';
  console.log(
    `p95 to p95 of bare: ${ratio.toFixed(2)}×; our own time, p95: ${own.toFixed(0)} ms  (bar ${OWN_BAR_MS} ms: ${verdict})`,
  );
}

async function inPlace(work: (place: Place) => Promise<readonly number[]>): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'devs-bench-renewals-'));
  const [project, home] = [join(folder, 'project'), join(folder, 'home')];
  for (const path of [project, home]) mkdirSync(path);
  execFileSync('git', ['init', '--quiet'], { cwd: project });
  const env = { PATH: process.env.PATH ?? '', FIXTURE_HOME: home, TERM: 'xterm-256color' };
  try {
    return await work({ folder, project, home, env });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function renewSupervised({ folder, project, home, env }: Place): Promise<readonly number[]> {
  const store = openStore({
    backend: openSqliteBackend({ file: join(folder, 'state.db') }),
    clock: Date,
    newId: randomUUID,
  });
  const outcome = await superviseTerminal({
    name: 'bench',
    driver: fixtureDriver,
    openHost: () => openHostIn({ folder: join(folder, 'host'), graceMs: 100 }),
    store,
    by: 'bench',
    place: { folder: project, home, env },
    launch: { userArgs: [], systemPrompt: 'A bench.' },
    privateFolder: join(folder, 'private'),
    sources: [fixtureSource()],
    clock: Date,
    newId: randomUUID,
  });
  if (outcome.status !== 'supervised') throw new Error(outcome.status);
  const { terminal } = outcome;
  const isIdle = () => terminal.status().state?.activity === 'idle' && terminal.status().renewal === 'idle';
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await until(isIdle);
    const { conversationId: old = '' } = terminal.status();
    await terminal.send(`Write the next part @write part-${round}.ts @usage 70000`);
    await until(() => terminal.status().contextRefreshCount === round + 1);
    const { conversationId: fresh = '' } = terminal.status();
    times.push(firstPromptAt(home, fresh) - lastTurnEndAt(home, old));
  }
  await terminal.stop();
  await terminal.close();
  await store.close();
  return times;
}

async function renewBare({ folder, project, home, env }: Place): Promise<readonly number[]> {
  const start = async (prompt: string) => {
    const id = randomUUID();
    const { command, args } = await fixtureDriver.launch({
      folder: project,
      home,
      env,
      userArgs: [],
      conversation: { kind: 'fresh', id },
      firstPrompt: prompt,
      privateFolder: folder,
    });
    const child = nodePty.spawn(command, [...args], { cols: 80, rows: 24, cwd: project, env });
    const ended = new Promise((resolve) => child.onExit(resolve));
    return { id, child, ended };
  };
  let agent = await start('Write the first part @write part.ts');
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = agent;
    await until(() => records(home, id).some(({ subtype }) => subtype === 'turn_duration'));
    agent.child.kill('SIGTERM');
    await agent.ended;
    agent = await start(`Write the next part @write part-${round}.ts`);
    await until(() => records(home, agent.id).length > 0);
    times.push(firstPromptAt(home, agent.id) - lastTurnEndAt(home, id));
  }
  agent.child.kill('SIGKILL');
  await agent.ended;
  return times;
}

interface TranscriptLine {
  readonly type: string;
  readonly subtype?: string;
  readonly timestamp: string;
}

function records(home: string, conversationId: string): readonly TranscriptLine[] {
  const file = join(home, `${conversationId}.jsonl`);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as TranscriptLine);
}

const firstPromptAt = (home: string, id: string): number =>
  Date.parse(records(home, id).find(({ type }) => type === 'user')?.timestamp ?? '');

const lastTurnEndAt = (home: string, id: string): number =>
  Date.parse(records(home, id).findLast(({ subtype }) => subtype === 'turn_duration')?.timestamp ?? '');

async function until(isTrue: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !isTrue(); await pause(2)) {
    if (Date.now() > deadline) throw new Error('it took too long');
  }
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;

const print = (name: string, values: readonly number[]) =>
  console.log(
    `${name.padEnd(37)} p50 ${quantile(values, 0.5).toFixed(0).padStart(5)} ms  p95 ${quantile(values, 0.95).toFixed(0).padStart(5)} ms`,
  );
