// How many durable appends the event log does on SQLite, next to bare libsql with one INSERT per transaction and the same
// pragmas; and how soon another process sees them. The Redis half is in store-redis.ts.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEventLog, type EventLog, type NewEvent } from '@devs/core';
import { openSqliteBackend } from '@devs/store';
import Database from 'libsql';

const BAR = 0.7;
const ROUNDS = 9;
const FOLLOWED = 100;
const event: NewEvent = {
  type: 'note.written',
  data: {
    text: 'The parser keeps its state while tokens arrive, so that an answer that was cut off can be resumed; the tests pass.',
    count: 7,
  },
};
const batchOf = (size: number) => Array.from({ length: size }, () => event);

const folder = mkdtempSync(join(tmpdir(), 'devs-bench-'));
try {
  console.log('\ndurable events per second, and the ratio to bare libsql in the same run (median of the rounds)\n');
  await compareAppends({ batch: 1, commits: 400, bar: BAR });
  await compareAppends({ batch: 100, commits: 40 });
  await measureFollowing();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Comparison {
  readonly batch: number;
  readonly commits: number;
  readonly bar?: number;
}

async function compareAppends({ batch, commits, bar }: Comparison): Promise<void> {
  const backend = openSqliteBackend({ file: join(folder, `ours-${batch}.db`) });
  const log = createEventLog({ backend, clock: Date, newId: randomUUID });
  const bare = openBare(join(folder, `bare-${batch}.db`));
  await append(log, { batch, commits, stream: 'bench:warm-up' });
  bare({ batch, commits });
  const rounds: { ours: number; peer: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // One after the other in short turns: a disk that is slow for a while is slow for both.
    const ours = await perSecond(batch * commits, () =>
      append(log, { batch, commits, stream: `bench:round-${round}` }),
    );
    const peer = await perSecond(batch * commits, async () => bare({ batch, commits }));
    rounds.push({ ours, peer });
  }
  await backend.close();
  const ratio = median(rounds.map(({ ours, peer }) => ours / peer));
  const verdict = bar === undefined ? '' : `  bar ${bar}×: ${ratio >= bar ? 'met' : 'NOT MET'}`;
  const speeds = [median(rounds.map(({ ours }) => ours)), median(rounds.map(({ peer }) => peer))];
  console.log(
    `SQLite, ${batch} per commit`.padEnd(26),
    ...speeds.map((speed) => speed.toFixed(0).padStart(9)),
    `${ratio.toFixed(2)}×${verdict}`,
  );
}

interface Load {
  readonly batch: number;
  readonly commits: number;
}

async function append(log: EventLog, { batch, commits, stream }: Load & { readonly stream: string }): Promise<void> {
  for (let commit = 0; commit < commits; commit++) await log.append(stream, commit * batch, batchOf(batch));
}

function openBare(file: string): (load: Load) => void {
  const database = new Database(file);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, type TEXT, at INTEGER, data TEXT)');
  const insert = database.prepare('INSERT INTO events (stream, type, at, data) VALUES (?, ?, ?, ?)');
  const insertOne = () => insert.run('bench:bare', event.type, Date.now(), JSON.stringify(event.data));
  const [begin, commitNow] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')];
  return ({ batch, commits }) => {
    for (let commit = 0; commit < commits; commit++) {
      if (batch > 1) begin.run();
      for (let index = 0; index < batch; index++) insertOne();
      if (batch > 1) commitNow.run();
    }
  };
}

/** Another process appends; each event says when. Informational: it is the poll of 50 ms that is measured. */
async function measureFollowing(): Promise<void> {
  const file = join(folder, 'followed.db');
  const backend = openSqliteBackend({ file, keepAlive: true });
  const log = createEventLog({ backend, clock: Date, newId: randomUUID });
  const writer = spawn(
    process.execPath,
    [fileURLToPath(new URL('./lib/append-and-stamp.js', import.meta.url)), file, String(FOLLOWED)],
    { stdio: 'inherit' },
  );
  const stop = new AbortController();
  writer.once('exit', (code) => code !== 0 && stop.abort());
  const latencies: number[] = [];
  for await (const { data } of log.follow({ signal: stop.signal })) {
    latencies.push(performance.timeOrigin + performance.now() - Number(data['sentAt']));
    if (latencies.length === FOLLOWED) stop.abort();
  }
  await backend.close();
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) =>
    (latencies[Math.floor(share * (latencies.length - 1))] ?? Number.NaN).toFixed(1);
  console.log(`\nfollowing across two processes: p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms`);
}

async function perSecond(events: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (events / (performance.now() - started)) * 1_000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
