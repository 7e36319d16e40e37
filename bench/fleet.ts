// How fast machines take tasks: claimed and done through our queue and dispatcher, next to bare BullMQ whose handler makes the same
// durable writes on the same server in the same run; then how much a longer log costs a run that begins and a worker
// that starts. `FLEET_STARTS_ONLY=1` measures only these.
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStore, runEventOf, runStream, type Store } from '@devs/core';
import { openRedisBackend } from '@devs/store';
import { createRunIndex } from '@devs/supervisor';
import { Queue } from 'bullmq';
import { startDurableRedis } from './lib/fleet-redis.js';
import { openStarts } from './lib/fleet-starts.js';
import { BARE_PREFIX, INTENT } from './lib/fleet-tasks.js';

const TASKS = 2_000;
const ROUNDS = Number(process.env['FLEET_ROUNDS'] ?? 3);
const EVENTS_PER_RUN = 60;
const BAR = 0.8;
const LOGS = [10_000, 200_000];
const STARTS = 7;
const START_BAR = 1.2;
const WORKER = fileURLToPath(new URL('lib/fleet-worker.js', import.meta.url));

if (spawnSync('redis-server', ['--version']).status !== 0)
  console.log('skipped: redis-server is not installed (apt-get install redis-server)');
else {
  if (process.env['FLEET_STARTS_ONLY'] === undefined) for (const workers of [1, 4]) await compare(workers);
  await measureStarts();
}

interface Measured {
  readonly perSecond: number;
  readonly cpuMs: number;
}

async function compare(workers: number): Promise<void> {
  const [ours, bare]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await measure('bare', workers));
    ours.push(await measure('ours', workers));
  }
  const of = (all: readonly Measured[], key: keyof Measured) => median(all.map((one) => one[key]));
  const speed = median(ours.map(({ perSecond }, n) => perSecond / (bare[n]?.perSecond ?? perSecond)));
  const cpu = median(ours.map(({ cpuMs }, n) => (bare[n]?.cpuMs ?? cpuMs) / cpuMs));
  const verdict = (ratio: number) => `${ratio.toFixed(2)}× (bar ${BAR}×: ${ratio >= BAR ? 'met' : 'NOT MET'})`;
  console.log(
    `${workers} ${workers === 1 ? 'worker ' : 'workers'}  tasks/s: devs ${of(ours, 'perSecond').toFixed(0)}, BullMQ ${of(bare, 'perSecond').toFixed(0)}: ${verdict(speed)}  CPU per task: devs ${of(ours, 'cpuMs').toFixed(2)} ms, BullMQ ${of(bare, 'cpuMs').toFixed(2)} ms: ${verdict(cpu)}`,
  );
}

/** All tasks by so many processes, from the first ticket to the last end. */
async function measure(kind: 'ours' | 'bare', workers: number): Promise<Measured> {
  const server = await startDurableRedis();
  const store = await open(server.url);
  try {
    if (kind === 'ours')
      for (let from = 0; from < TASKS; from += 500)
        await store.tasks.add(Array.from({ length: 500 }, (_, n) => ({ id: `t${from + n}`, intent: INTENT })));
    const children = await Promise.all(Array.from({ length: workers }, () => startWorker(kind, server.url)));
    const cpu = children.map(async (child) => {
      for (;;) {
        const [message] = (await once(child, 'message')) as [{ readonly cpuMs?: number }];
        if (message.cpuMs !== undefined) return message.cpuMs;
      }
    });
    const begun = performance.now();
    for (const child of children) child.send('go');
    if (kind === 'bare') await addBare(server.url);
    const done = async () =>
      kind === 'ours'
        ? (await store.tasks.list({ statuses: ['done'], limit: 1 })).total
        : Number((await server.redis.get('b:done')) ?? 0);
    while ((await done()) < TASKS) await pause(10);
    const tookMs = performance.now() - begun;
    for (const child of children) child.send('stop');
    const cpuMs = (await Promise.all(cpu)).reduce((sum, one) => sum + one, 0);
    return { perSecond: (TASKS / tookMs) * 1_000, cpuMs: cpuMs / TASKS };
  } finally {
    await store.close();
    await server.stop();
  }
}

async function startWorker(kind: string, url: string): Promise<ChildProcess> {
  const child = fork(WORKER, [kind, url]);
  await once(child, 'message');
  return child;
}

async function addBare(url: string): Promise<void> {
  const queue = new Queue('tasks', { connection: { url }, prefix: BARE_PREFIX });
  const record = JSON.stringify({
    intent: INTENT,
    depends_on: [],
    open_dependencies: [],
    priority: 0,
    status: 'pending',
  });
  for (let from = 0; from < TASKS; from += 500) {
    const jobs = Array.from({ length: 500 }, (_, n) => ({
      name: 'task',
      data: { id: `t${from + n}`, record },
      opts: { jobId: `task-t${from + n}`, priority: 1_001, removeOnComplete: true },
    }));
    await queue.addBulk(jobs);
  }
  await queue.close();
}

/** How long a run takes to begin with a short and a long log, and how long a worker takes until it knows all runs. */
async function measureStarts(): Promise<void> {
  const server = await startDurableRedis();
  const starts = openStarts();
  const storeWith = (events: number) => `${server.url}?prefix=log-${events}`;
  try {
    await starts.trust();
    const indexMs: number[] = [];
    const startMs = new Map<number, number[]>(LOGS.map((events) => [events, []]));
    for (const events of LOGS) {
      const store = await open(storeWith(events));
      await fillLog(store, events);
      await createRunIndex(store).read(); // as the worker that was there meanwhile
      await store.close();
      indexMs.push(await timeIndex(storeWith(events)));
      await starts.start(storeWith(events)); // the supervisor has the store open
    }
    for (let n = 0; n < STARTS; n++)
      for (const events of LOGS) startMs.get(events)?.push(await starts.start(storeWith(events)));
    const [short = 1, long = 1] = LOGS.map((events) => median(startMs.get(events) ?? []));
    const ratio = long / short;
    console.log(
      `a run begins after ${short.toFixed(0)} ms with 10,000 events in the log, ${long.toFixed(0)} ms with 200,000: ${ratio.toFixed(2)}× (bar ${START_BAR}×: ${ratio <= START_BAR ? 'met' : 'NOT MET'})`,
    );
    console.log(`a worker knows all runs after ${indexMs.map((ms) => `${ms.toFixed(0)} ms`).join(' and ')}`);
  } finally {
    await starts.close();
    await server.stop();
  }
}

async function timeIndex(url: string): Promise<number> {
  const samples: number[] = [];
  for (let n = 0; n < 9; n++) {
    const fresh = await open(url);
    const begun = performance.now();
    await createRunIndex(fresh).read();
    samples.push(performance.now() - begun);
    await fresh.close();
  }
  return median(samples);
}

async function fillLog(store: Store, events: number): Promise<void> {
  for (let run = 0; run < events / EVENTS_PER_RUN; run++) {
    const list = Array.from({ length: EVENTS_PER_RUN }, (_, n) =>
      n === 0
        ? runEventOf({
            type: 'run.prepared',
            folder: '/project',
            place: 'own',
            request: INTENT,
            agent: 'claude',
          } as never)
        : n === EVENTS_PER_RUN - 1
          ? runEventOf({ type: 'run.finished', outcome: 'done', detail: 'the workflow is complete' })
          : runEventOf({ type: 'head.observed', commit: String(n).padStart(40, 'a') }),
    );
    await store.log.append(runStream(`run-${run}`), 0, list);
  }
}

async function open(url: string): Promise<Store> {
  return openStore({ backend: await openRedisBackend({ url }), clock: { now: Date.now }, newId: randomUUID });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
