import { existsSync, renameSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '@devs/core/testing';
import type { startKillableRedis } from './killable-redis.js';
import type { SoakMachine } from './soak-machine.js';

export interface SoakWorld {
  readonly machines: readonly SoakMachine[];
  readonly redis: Awaited<ReturnType<typeof startKillableRedis>>;
  readonly remote: string;
  readonly random: Random;
  readonly times: TroubleTimes;
  /** What was done to it, in order. */
  readonly story: { readonly lines: readonly string[]; tell(line: string): void };
}

interface TroubleTimes {
  /** Longer than a lease. */
  readonly frozenMs: number;
  readonly redisAwayMs: number;
  readonly remoteAwayMs: number;
  /** Until a killed worker is started again. */
  readonly restartMs: number;
}

/** Something that happens to a fleet. Ends when it is over. */
export type Trouble = (world: SoakWorld) => Promise<void>;

/** One whose agents work, while there is one. */
function pickAtWork(machines: readonly SoakMachine[], random: Random): SoakMachine {
  const atWork = machines.filter((machine) => machine.processes().some(({ kind }) => kind === 'agent'));
  return random.pick(atWork.length === 0 ? machines : atWork);
}

export const TROUBLES = {
  async 'a machine is killed'({ machines, random, times, story }) {
    const machine = pickAtWork(machines, random);
    story.tell(`killed ${machine.name}: ${machine.kill('machine').join(' ')}`);
    await pause(times.restartMs);
    if (!machine.isServing) machine.start();
  },
  async 'a process is killed'({ machines, random, times, story }) {
    const machine = pickAtWork(machines, random);
    const kind = random.pick(['supervisor', 'host', 'agent', 'mcp', 'follower'] as const);
    story.tell(`killed of ${machine.name}: ${machine.kill(kind).join(' ')}`);
    await pause(times.restartMs);
    if (!machine.isServing) machine.start();
  },
  async 'a machine stands still'({ machines, random, times, story }) {
    const machine = pickAtWork(machines, random);
    story.tell(`froze ${machine.name}`);
    machine.freeze();
    await pause(times.frozenMs);
    machine.thaw();
  },
  async 'Redis is killed'({ redis, times, story }) {
    story.tell('killed Redis');
    await redis.kill();
    await pause(times.redisAwayMs);
    await redis.start();
  },
  async 'the engine forgets everything'({ redis, story }) {
    story.tell(`deleted ${await redis.deleteKeys('*:fleet:*')} keys of the engine`);
  },
  async 'the remote is gone'({ remote, times, story }) {
    story.tell('took the remote away');
    const away = `${remote}.away`;
    renameSync(remote, away);
    await pause(times.remoteAwayMs);
    if (!existsSync(remote)) renameSync(away, remote);
  },
} as const satisfies Readonly<Record<string, Trouble>>;
