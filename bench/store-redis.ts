// How much the event log costs on Redis: durable appends through `EventLog` next to bare XADD on the same server in the
// same run, and how soon another process hears of an event.
import { fork, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openStore, type Store } from '@devs/core';
import { startRedisServer } from '@devs/core/testing';
import { openRedisBackend } from '@devs/store';
import { Redis } from 'ioredis';

const ROUNDS = 7;
const FOLLOWED_EVENTS = 500;
const CASES = [
  { name: 'one after another', inFlight: 1, appends: 1_500 },
  { name: '50 in flight', inFlight: 50, appends: 10_000 },
] as const;
const BAR = 0.7;
const data = {
  intent: 'Make the login form remember the user',
  by: 'agent-3',
  fence: 4,
  note: 'The parser keeps its state while tokens arrive, so that an answer that was cut off can be resumed; the tests pass.',
};

const followedUrl = process.argv[2];
if (followedUrl !== undefined) await follow(followedUrl);
else if (spawnSync('redis-server', ['--version']).status !== 0) {
  console.log('skipped: redis-server is not installed (apt-get install redis-server)');
} else await measureAll();

async function measureAll(): Promise<void> {
  const server = await startRedisServer();
  try {
    await compareAppends(server.url);
    await measureFollowing(server.url);
  } finally {
    await server.stop();
  }
}

async function compareAppends(url: string): Promise<void> {
  console.log('durable appends per second (appendonly yes, appendfsync always), the median of rounds in turn\n');
  const bare = new Redis(url);
  const store = await open(url);
  const versions = new Map<string, number>();
  const event = JSON.stringify({ stream: 'run:bench-0', version: 1_000, at: Date.now(), type: 'note.written', data });

  const addBare = async () => void (await bare.xadd('bare', '*', 'event', event));
  const append = async (lane: number) => {
    const stream = `run:bench-${lane}`;
    const version = versions.get(stream) ?? 0;
    const result = await store.log.append(stream, version, [{ type: 'note.written', data }]);
    if (result.status !== 'appended') throw new Error('a conflict that cannot be');
    versions.set(stream, result.version);
  };
  for (const { name, inFlight, appends } of CASES) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const pair = [
        await perSecond(addBare, { inFlight, appends }),
        await perSecond(append, { inFlight, appends }),
      ] as const;
      if (round === 0) continue; // warming up
      theirs.push(pair[0]);
      ours.push(pair[1]);
    }
    const ratio = median(ours.map((value, index) => value / (theirs[index] ?? value)));
    const verdict = ratio >= BAR ? 'met' : 'NOT MET';
    console.log(
      `${name.padEnd(18)}  EventLog ${median(ours).toFixed(0).padStart(6)}  XADD ${median(theirs).toFixed(0).padStart(6)}  ratio ${ratio.toFixed(2)}×  (bar ${BAR}×: ${verdict})`,
    );
  }
  await store.close();
  bare.disconnect();
}

/** `inFlight` lanes, each with one append at a time. */
async function perSecond(
  append: (lane: number) => Promise<void>,
  { inFlight, appends }: { readonly inFlight: number; readonly appends: number },
): Promise<number> {
  let left = appends;
  const started = performance.now();
  const lane = async (index: number) => {
    while (left-- > 0) await append(index);
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => lane(index)));
  return appends / ((performance.now() - started) / 1_000);
}

async function measureFollowing(url: string): Promise<void> {
  const followed = `${url}?prefix=following:`;
  const store = await open(followed);
  const follower = fork(fileURLToPath(import.meta.url), [followed]);
  await once(follower, 'message');
  const latencies: number[] = [];
  for (let version = 0; version < FOLLOWED_EVENTS; version++) {
    const seen = once(follower, 'message');
    const sentAt = now();
    await store.log.append('run:followed', version, [{ type: 'note.written', data }]);
    latencies.push(Number((await seen)[0]) - sentAt);
    await new Promise((resolve) => setTimeout(resolve, 3)); // until it waits again
  }
  follower.kill();
  await store.close();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? Number.NaN).toFixed(2);
  console.log(
    `\nfollowing from another process: ${at(0.5)} ms p50, ${at(0.99)} ms p99, from before the append until it is seen`,
  );
}

/** In the other process: says that it is there, then when it has seen each event. */
async function follow(url: string): Promise<void> {
  const store = await open(url);
  process.send?.(now());
  for await (const _event of store.log.follow({ signal: new AbortController().signal })) process.send?.(now());
}

async function open(url: string): Promise<Store> {
  return openStore({ backend: await openRedisBackend({ url }), clock: { now: Date.now }, newId: randomUUID });
}

/** The same clock in every process of a machine. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
