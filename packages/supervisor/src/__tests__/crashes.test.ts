import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programPath } from './program-path.js';
import { openWorld, type World } from './world.js';

const PROGRAM = programPath('renew-and-die', new URL('./programs/renew-and-die.mjs', import.meta.url));

interface Run {
  readonly killed: boolean;
  readonly moments: readonly string[];
}

/**
 * A supervisor in a process of its own, which dies at a moment, or whose host does. `check` is done when it has finished what
 * was left, before it begins anything itself.
 */
async function run(options: Readonly<Record<string, unknown>>, check?: () => Promise<void>): Promise<Run> {
  const waits = check !== undefined;
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ ...options, waits })]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, complaints] = [[] as string[], [] as string[]];
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  child.stdin.on('error', () => {}); // it may be gone already
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  let failure: unknown;
  for await (const line of createInterface({ input: child.stdout })) {
    out.push(line);
    if (line !== 'settled') continue;
    await check?.().catch((error: unknown) => {
      failure = error;
    });
    child.stdin.write('go\n');
  }
  const [exitCode, signal] = await ended;
  if (failure !== undefined) throw failure;
  if (exitCode === 0) return { killed: false, ...(JSON.parse(out.at(-1) ?? '') as { moments: readonly string[] }) };
  if (signal === 'SIGKILL') return { killed: true, moments: [] };
  throw new Error(`${exitCode} ${signal} ${complaints.join('')} ${JSON.stringify(options)}`);
}

/** Every transition of a renewal that goes well, by its event, or by the first word of it where there are several; and all that is asked of others in between. */
const TRANSITIONS = [
  'renewal.started',
  'host.write',
  'handoff',
  'document.verified',
  'checkpoint',
  'host.end',
  'host.forget',
  'agent.cleared',
  'agent.ended',
  'host.spawn',
  'agent.spawned',
  'takeover',
].flatMap((name) => [`before ${name}`, `after ${name}`]);

/** Transitions of a renewal that cannot start a new agent. */
const BROKEN_TRANSITIONS = [
  'before spawn.failed',
  'after spawn.failed',
  'before spawn.failed 2',
  'after spawn.failed 2',
  'before tasks.release',
  'after tasks.release',
  'before task.released',
  'after task.released',
  'before escalation.raised',
  'after escalation.raised',
];

/** All of them in `.ci/soak`, which takes minutes; a few, spread over the whole, in a usual run. */
const usual = (transitions: readonly string[]): readonly string[] =>
  rounds(1) > 1 ? transitions : transitions.filter((_, index) => index % 8 === seed() % 8);

async function worldWithTask() {
  const world = await openWorld();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: world.project, stdio: 'ignore' });
  git('init', '--quiet');
  writeFileSync(join(world.project, 'begun.ts'), 'begun'); // something to keep
  await world.store.tasks.add([{ id: 'T1', intent: 'Write the parser' }]);
  const claim = async () => {
    const claimed = await world.store.tasks.claim({ by: 'test', leaseMs: 600_000, id: 'T1' });
    if (claimed.status !== 'claimed') throw new Error(claimed.status);
    return { id: 'T1', fence: claimed.fence };
  };
  const task = await claim();
  return { world, claim, base: { folder: world.folder, task } };
}

const eventsOf = ({ store }: World) => store.log.read({ stream: 'terminal:parser', limit: 10_000 });

/** The reported problem that only the user can solve, if any. */
const toldOf = async (world: World) =>
  (await eventsOf(world)).findLast(({ type }) => type === 'escalation.raised' || type === 'restart.started')?.data.why;

/** No agent twice, none beside another one, none too many, none lost. */
async function expectWhole(world: World, at: string, agents = 1): Promise<void> {
  const starts = world.starts();
  const fresh = starts.filter(({ resumed }) => !resumed);
  const spawned = (await eventsOf(world)).flatMap(({ type, data }) => (type === 'agent.spawned' ? [data.agentId] : []));
  expect(world.running(), at).toHaveLength(agents);
  expect(new Set(fresh.map(({ conversation }) => conversation)).size, `double starts, ${at}`).toBe(fresh.length);
  expect(
    starts.flatMap(({ beside }) => beside),
    `two at once, ${at}`,
  ).toEqual([]);
  expect(new Set(spawned).size, `double spawns, ${at}`).toBe(spawned.length);
  expect(world.leftovers().length, `left behind, ${at}: ${world.leftovers().join('\n')}`).toBe(2 * agents);
}

/** The agent has the task, exclusively. */
async function expectCarried(world: World, { fence }: { readonly fence: number }, at: string): Promise<void> {
  expect(await world.store.tasks.get('T1'), at).toMatchObject({ status: 'in_progress', fence });
  const released = (await world.store.log.read({ stream: 'task:T1' })).filter(({ type }) => type === 'task.released');
  expect(released, `released and carried, ${at}`).toEqual([]);
}

/** An agent that happens to be at work is not asked for its words: then there is no such moment, and it is tried again. */
async function untilKilled(kill: () => Promise<Run>, at: string): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const { killed, moments } = await kill();
    if (killed || moments.includes(at)) return;
  }
  throw new Error(`never came to: ${at}`);
}

async function expectNothingLeft(world: World, base: object): Promise<void> {
  await run({ ...base, what: 'stop' });
  expect(world.leftovers()).toEqual([]);
  const count = async (type: string) => (await eventsOf(world)).filter((event) => event.type === type).length;
  expect((await count('takeover.confirmed')) + (await count('takeover.missed'))).toBe(await count('renewal.started'));
}

describe('a renewal', () => {
  /** Each one finishes what the one before left, and is checked, before it renews and is killed itself. */
  async function killAtEach(victim: string, transitions: readonly string[]): Promise<void> {
    const { world, base } = await worldWithTask();
    const { moments } = await run({ ...base, what: 'renew' });
    expect(moments).toEqual(expect.arrayContaining(TRANSITIONS));
    let where = 'at first';
    const check = async () => {
      await expectWhole(world, where);
      await expectCarried(world, base.task, where);
    };
    for (const at of transitions) {
      await untilKilled(() => run({ ...base, what: 'renew', victim, at }, check), at);
      where = `${victim} killed ${at}`;
    }
    await run({ ...base, what: 'nothing' }, check);
    await expectNothingLeft(world, base);
  }

  it.each(['supervisor', 'host'])(
    '[H16] [H7] [H11] survives kill -9 of its %s at each transition',
    (victim) => killAtEach(victim, usual(TRANSITIONS)),
    0,
  );

  it('[H16] [H7] [H11] survives kill -9 of both at once, at any transition', () => {
    const random = createRandom(seed());
    return killAtEach(
      'both',
      Array.from({ length: rounds(1, 150) }, () => random.pick(TRANSITIONS)),
    );
  }, 0);

  it.each(['supervisor', 'host'])(
    '[H7] [H10] that can start no new agent gives its task back once, with kill -9 of the %s at each transition',
    async (victim) => {
      const { world, base, claim } = await worldWithTask();
      let { task } = base;
      for (const at of usual(BROKEN_TRANSITIONS)) {
        const where = `the ${victim} killed ${at}`;
        const options = { ...base, task, what: 'renew', victim, at, broken: true };
        const first = await run(options);
        if (victim === 'host') expect(first.moments, where).toContain(at);
        else expect(first.killed, where).toBe(true);
        // Another worker takes it as soon as it is back in the queue.
        const isBack = (await world.store.tasks.get('T1'))?.status === 'pending';
        const theirs = isBack ? await claim() : undefined;
        if (victim !== 'host') await run({ ...base, task, what: 'finish', broken: true });
        expect(await toldOf(world), where).toMatch(/^the renewed agent could not be started/);
        await expectWhole(world, where, 0);
        const left = await world.store.tasks.get('T1');
        expect(left, where).toMatchObject(
          theirs === undefined ? { status: 'pending' } : { status: 'in_progress', fence: theirs.fence },
        );
        task = theirs ?? (await claim());
      }
    },
    0,
  );

  it('[H16] is finished by the third where the second is killed while it finishes what the first left', async () => {
    const random = createRandom(seed());
    const { world, base } = await worldWithTask();
    await run({ ...base, what: 'renew' });
    for (let round = 0; round < rounds(1, 100); round++) {
      const at = random.pick(TRANSITIONS);
      const then = random.below(10);
      const where = `killed ${at}, then at moment ${then}`;
      await run({ ...base, what: 'renew', at, victim: random.pick(['supervisor', 'both']) });
      await run({ ...base, what: 'nothing', at: then, fromStart: true, victim: random.pick(['supervisor', 'both']) });
      await run({ ...base, what: 'nothing' }, async () => {
        await expectWhole(world, where);
        await expectCarried(world, base.task, where);
      });
    }
    await expectNothingLeft(world, base);
  }, 0);
});

describe('a supervisor that is killed', () => {
  it.each(['undo', 'clear'])(
    '[H16] at random moments of "%s" is followed by a supervisor that finishes the job',
    async (what) => {
      const random = createRandom(seed());
      const { world, base } = await worldWithTask();
      await run({ ...base, what: 'renew' });
      for (let round = 0; round < rounds(1, 150); round++) {
        const at = random.below(12);
        await run({ ...base, what, at });
        await run({ ...base, what: 'renew' });
        await expectWhole(world, `after a kill at moment ${at} of ${what}`);
      }
    },
    0,
  );
});
