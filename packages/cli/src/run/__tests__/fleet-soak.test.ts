import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore, type Store } from '@devs/core';
import { createRandom, isRedisInstalled, REDIS_NOT_INSTALLED, rounds, seed } from '@devs/core/testing';
import { openRedisBackend } from '@devs/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditFleet } from './fleet-soak/audit.js';
import { startKillableRedis } from './fleet-soak/killable-redis.js';
import { createSoakMachine } from './fleet-soak/soak-machine.js';
import { randomTasks, soakScenario } from './fleet-soak/soak-work.js';
import { type SoakWorld, TROUBLES } from './fleet-soak/troubles.js';

/** `DEVS_SOAK_TASKS` makes pieces of a long one. */
const TASKS = Number(process.env['DEVS_SOAK_TASKS'] ?? rounds(8, 200));
const IS_LONG = TASKS > 20;
const LOST_AFTER = IS_LONG ? 30 : 10;
const TIMES = IS_LONG
  ? { frozenMs: 40_000, redisAwayMs: 60_000, remoteAwayMs: 45_000, restartMs: 5_000 }
  : { frozenMs: 13_000, redisAwayMs: 5_000, remoteAwayMs: 4_000, restartMs: 1_000 };
const CLOCKS_OFF_MS = { ant: 0, bee: 30_000, cat: -30_000, dog: 0 };
const MINUTE = 60_000;
const LOOK_MS = 1_000;

describe.skipIf(process.platform !== 'linux')('four machines in trouble', () => {
  it(
    '[F1] [F3] do every task once and at the right commits, though things are killed, frozen, forgotten or away',
    async ({ annotate, skip }) => {
      if (!isRedisInstalled()) return skip(REDIS_NOT_INSTALLED);
      const { world, store, git, base } = await openWorld();
      const { machines, story } = world;
      for (const { devs } of machines) expect(await devs('config', '--trust')).toMatchObject({ exitCode: 0 });
      expect(await machines[0]?.devs('task', 'add', 'First', '--id', 'first')).toMatchObject({ exitCode: 0 });
      for (const task of randomTasks(TASKS - 1, world.random, base)) await store.tasks.add([task]);
      const begun = performance.now();
      for (const machine of machines) machine.start();

      const counts = async () =>
        (await store.tasks.list({ statuses: ['done'], limit: 1 }).catch(() => undefined))?.total ?? 0;
      const troubles = bringTroubles(world);
      let done = 0;
      let looks = 0;
      while (done < TASKS) {
        await pause(LOOK_MS);
        done = Math.max(done, await counts());
        for (const machine of machines) if (!machine.isServing && troubles.isOver) machine.start();
        if (IS_LONG && ++looks % 60 === 0)
          await annotate(`${done} of ${TASKS} after ${since(begun)}; ${story.lines.length} troubles`);
      }
      troubles.end();
      await troubles.over;
      const took = since(begun);
      const { tasks } = await store.tasks.list({ limit: 1_000 });
      for (const machine of machines) await machine.drain();
      const audit = await auditFleet(store, tasks, git);
      const bytesPerRun = Math.round((await world.redis.bytes()) / TASKS);
      await annotate(`${took}; ${JSON.stringify({ ...audit, bytesPerRun })}\n${story.lines.join('\n')}`);
      expect({ ...audit, story: story.lines }).toMatchObject({
        tasks: TASKS,
        done: TASKS,
        doubled: [],
        wrongBase: [],
        missing: [],
      });
    },
    IS_LONG ? 240 * MINUTE : 10 * MINUTE,
  );
});

const since = (begun: number): string => `${Math.round((performance.now() - begun) / 1_000)} s`;

/** Also in a file, for who looks at it meanwhile. */
function createStory(file: string) {
  const lines: string[] = [];
  return {
    lines,
    tell(line: string) {
      const told = `${new Date().toISOString().slice(11, 19)} ${line}`;
      lines.push(told);
      appendFileSync(file, `${told}\n`);
    },
  };
}

/** Each kind once in a short test; in a long one at random until it is told to end. */
function bringTroubles(world: SoakWorld) {
  const over = new AbortController();
  const { random } = world;
  const kinds = Object.values(TROUBLES);
  const rest = (ms: number) => pause(ms, undefined, { signal: over.signal }).catch(() => {});
  const bring = async () => {
    if (!IS_LONG) {
      const isAtWork = () => world.machines.some((machine) => machine.processes().some(({ kind }) => kind === 'agent'));
      while (!isAtWork()) await rest(500);
      for (const trouble of kinds) await trouble(world);
      return;
    }
    while (!over.signal.aborted) {
      await rest(5_000 + random.below(20_000));
      if (!over.signal.aborted) await random.pick(kinds)(world);
    }
  };
  const state = { isOver: false, end: () => over.abort(), over: Promise.resolve() };
  state.over = bring().finally(() => {
    state.isOver = true;
  });
  return state;
}

/** A store, a remote, and four machines. The clocks of two are off. */
async function openWorld() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devs-soak-')));
  onTestFinished(() => {
    if (process.env['DEVS_KEEP_SOAK'] === undefined) rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }, 5 * MINUTE);
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=user', '-c', 'user.email=user@localhost', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const remote = join(root, 'remote.git');
  git(root, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  const first = join(root, 'first');
  git(root, 'clone', '--quiet', remote, first);
  writeFileSync(join(first, 'README.md'), `A project ${root}\n`);
  git(first, 'add', '.');
  git(first, 'commit', '--quiet', '-m', `Begin ${root}`);
  git(first, 'push', '--quiet', 'origin', 'HEAD:main');
  const scenario = join(root, 'scenario.json');
  writeFileSync(scenario, JSON.stringify(soakScenario(IS_LONG ? '300ms' : '1500ms')));
  const redis = await startKillableRedis();
  const clone = (folder: string, name: string) => {
    git(root, 'clone', '--quiet', '--branch', 'main', remote, folder);
    git(folder, 'config', 'user.name', name);
    git(folder, 'config', 'user.email', `${name}@localhost`);
  };
  const machines = Object.entries(CLOCKS_OFF_MS).map(([name, clockOffMs]) =>
    createSoakMachine(name, { root, address: redis.address, scenario, lostAfter: LOST_AFTER, clockOffMs, clone }),
  );
  const store: Store = openStore({
    backend: await openRedisBackend({ url: redis.address }),
    clock: { now: Date.now },
    newId: randomUUID,
  });
  onTestFinished(() => store.close().catch(() => {}));
  const world: SoakWorld = {
    machines,
    redis,
    remote,
    random: createRandom(seed()),
    times: TIMES,
    story: createStory(join(root, 'story.txt')),
  };
  return {
    world,
    store,
    git: (...args: readonly string[]) => git(remote, ...args),
    base: git(remote, 'rev-parse', 'main'),
  };
}
