import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { NewTask, TaskQueue, TaskRecord } from '../../ports/task-queue.js';
import type { Proof } from './contract-world.js';

const task = (id: string, changes: Partial<NewTask> = {}): NewTask => ({ id, intent: `do ${id}`, ...changes });
const ids = (tasks: readonly TaskRecord[]) => tasks.map(({ id }) => id);
const MINUTE = 60_000;

async function claimNext(tasks: TaskQueue, by = 'agent-1') {
  const claim = await tasks.claim({ by, leaseMs: MINUTE });
  if (claim.status !== 'claimed') throw new Error(`nothing claimed: ${JSON.stringify(claim)}`);
  return claim;
}

/** What every task queue must do. */
export const taskQueueContract: Readonly<Record<string, Proof>> = {
  async 'a claim with labels gives only tasks that need no others, also behind many that do'({ store }) {
    const others = Array.from({ length: 40 }, (_, index) => ({ id: `gpu-${index}`, intent: 'Train', needs: ['gpu'] }));
    await store.tasks.add([...others, { id: 'plain', intent: 'Write' }, { id: 'mac', intent: 'Sign', needs: ['mac'] }]);
    const claim = async (labels: readonly string[]) => {
      const outcome = await store.tasks.claim({ by: 'a', leaseMs: 1_000, labels });
      return outcome.status === 'claimed' ? outcome.task.id : outcome.status;
    };
    deepEqual([await claim([]), await claim([]), await claim(['mac'])], ['plain', 'nothing-to-do', 'mac']);
    deepEqual([await claim(['big', 'gpu']), (await store.tasks.startable(100)).length], ['gpu-0', 39]);
  },

  async 'what a task sets free are the tasks that waited for it alone'({ store }) {
    await store.tasks.add([
      task('a'),
      task('b'),
      task('c', { depends_on: ['a'] }),
      task('d', { depends_on: ['a', 'b'] }),
    ]);
    deepEqual(ids(await store.tasks.freedBy('a')), []);
    const { fence } = await claimNext(store.tasks);
    await store.tasks.complete({ id: 'a', fence });
    deepEqual(ids(await store.tasks.freedBy('a')), ['c']);
  },

  async 'a holder knows of what others have changed since its claim'({ store, another }) {
    const other = await another();
    await store.tasks.add([task('a'), task('b', { depends_on: ['a'] })]);
    const { fence } = await claimNext(store.tasks);
    await other.tasks.edit({ id: 'b', intent: 'do b better' });
    await other.tasks.add([task('c', { depends_on: ['a'] })]);
    equal((await store.tasks.complete({ id: 'a', fence })).status, 'ok');
    deepEqual(
      (await store.tasks.startable(9)).map(({ id, intent }) => [id, intent]),
      [
        ['b', 'do b better'],
        ['c', 'do c'],
      ],
    );
    equal((await other.tasks.claim({ by: 'x', leaseMs: MINUTE, id: 'b' })).status, 'claimed');
    equal((await store.tasks.block({ id: 'b', reason: 'not yet' })).status, 'ok');
    equal((await other.tasks.complete({ id: 'b', fence: 1 })).status, 'refused');
  },

  async 'a task that was added can be read, claimed and completed'({ store, clock }) {
    const [added] = await store.tasks.add([task('a', { description: 'all of it', priority: 3 })]);
    deepEqual(await store.tasks.get('a'), added);
    const { fence } = await claimNext(store.tasks);
    clock.advance(1_000);
    const done = await store.tasks.complete({ id: 'a', fence, result: 'works' });
    ok(done.status === 'ok');
    deepEqual(await store.tasks.get('a'), {
      id: 'a',
      intent: 'do a',
      description: 'all of it',
      depends_on: [],
      open_dependencies: [],
      priority: 3,
      status: 'done',
      fence: 1,
      result: 'works',
      added_at: clock.now() - 1_000,
      finished_at: clock.now(),
      version: 3,
    });
    deepEqual(
      (await store.log.read({ stream: 'task:a' })).map(({ type }) => type),
      ['task.added', 'task.claimed', 'task.completed'],
    );
  },

  async 'a task that is added as blocked is never to be claimed before somebody unblocks it'({ store }) {
    const [added] = await store.tasks.add([task('a', { blocked: 'not yet' })]);
    deepEqual([added?.status, added?.reason], ['blocked', 'not yet']);
    deepEqual(await store.tasks.get('a'), added);
    deepEqual(await store.tasks.claim({ by: 'agent-1', leaseMs: MINUTE }), { status: 'nothing-to-do' });
    deepEqual(
      (await store.log.read({ stream: 'task:a' })).map(({ type }) => type),
      ['task.added', 'task.blocked'],
    );
    await store.tasks.unblock('a');
    equal((await claimNext(store.tasks)).task.id, 'a');
  },

  async 'tasks are claimed by priority, then in the order in which they were added'({ store, clock }) {
    await store.tasks.add([task('low', { priority: -1 }), task('first'), task('second')]);
    clock.advance(1);
    await store.tasks.add([task('high', { priority: 9 }), task('third')]);
    const order: string[] = [];
    for (let count = 0; count < 5; count++) order.push((await claimNext(store.tasks)).task.id);
    deepEqual(order, ['high', 'first', 'second', 'third', 'low']);
    deepEqual(await store.tasks.claim({ by: 'x', leaseMs: MINUTE }), { status: 'nothing-to-do' });
  },

  async 'a task is taken over from its last claim in one step, and from no other'({ store }) {
    await store.tasks.add([task('a')]);
    const { fence } = await claimNext(store.tasks);
    const taken = await store.tasks.claim({ by: 'agent-2', leaseMs: MINUTE, id: 'a', after: fence });
    ok(taken.status === 'claimed');
    deepEqual([taken.task.lease?.by, taken.fence], ['agent-2', fence + 1]);
    const late = await store.tasks.claim({ by: 'agent-3', leaseMs: MINUTE, id: 'a', after: fence });
    equal(late.status === 'refused' && late.reason, 'stale');
    deepEqual(
      (await store.log.read({ stream: 'task:a' })).map(({ type }) => type),
      ['task.added', 'task.claimed', 'task.claimed'],
    );
    await store.tasks.block({ id: 'a', fence: taken.fence, reason: 'asked' });
    const unblocked = await store.tasks.claim({ by: 'agent-3', leaseMs: MINUTE, id: 'a', after: taken.fence });
    ok(unblocked.status === 'claimed');
    await store.tasks.complete({ id: 'a', fence: unblocked.fence });
    const over = await store.tasks.claim({ by: 'agent-3', leaseMs: MINUTE, id: 'a', after: unblocked.fence });
    equal(over.status === 'refused' && over.reason, 'wrong-status');
  },

  async '[S2] one task is never held by two, however many claim at once'({ store, another }) {
    const stores = [store, await another(), await another()];
    await store.tasks.add(Array.from({ length: 20 }, (_, index) => task(`t${index}`)));
    const claims = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        (stores[index % 3] ?? store).tasks.claim({ by: `agent-${index}`, leaseMs: MINUTE }),
      ),
    );
    const claimed = claims.flatMap((claim) => (claim.status === 'claimed' ? [claim.task.id] : []));
    equal(claimed.length, 20);
    equal(new Set(claimed).size, 20);
  },

  async '[S2] a dead claimer loses the task when its lease ends, and nobody loses the task'({ store, another, clock }) {
    await store.tasks.add([task('a')]);
    const dead = await claimNext(store.tasks, 'dead');
    const other = await another();
    deepEqual(await other.tasks.claim({ by: 'next', leaseMs: MINUTE }), { status: 'nothing-to-do' });
    clock.advance(MINUTE);
    const next = await claimNext(other.tasks, 'next');
    deepEqual([next.task.id, next.fence], ['a', dead.fence + 1]);
    const late = await store.tasks.complete({ id: 'a', fence: dead.fence, result: 'too late' });
    equal(late.status === 'refused' && late.reason, 'stale');
    equal((await other.tasks.complete({ id: 'a', fence: next.fence })).status, 'ok');
  },

  async 'a heartbeat keeps a task beyond its lease, and tells a holder that it is lost'({ store, clock }) {
    await store.tasks.add([task('a')]);
    const { fence } = await claimNext(store.tasks);
    clock.advance(MINUTE - 1);
    equal(await store.tasks.heartbeat({ id: 'a', fence, leaseMs: MINUTE }), 'renewed');
    clock.advance(MINUTE - 1);
    deepEqual(await store.tasks.expire(), []);
    clock.advance(1);
    deepEqual(await store.tasks.expire(), ['a']);
    equal(await store.tasks.heartbeat({ id: 'a', fence, leaseMs: MINUTE }), 'lost');
    const again = await claimNext(store.tasks);
    equal(await store.tasks.heartbeat({ id: 'a', fence, leaseMs: MINUTE }), 'lost');
    equal(await store.tasks.heartbeat({ id: 'a', fence: again.fence, leaseMs: MINUTE }), 'renewed');
  },

  async 'a heartbeat comes before the expiry of a lease that was decided on without it'({ store, backend, clock }) {
    await store.tasks.add([task('a')]);
    const { task: held, fence } = await claimNext(store.tasks);
    const until = held.lease?.until ?? 0;
    clock.advance(MINUTE);
    equal(await store.tasks.heartbeat({ id: 'a', fence, leaseMs: MINUTE }), 'renewed');
    const expiry = (id: string, leaseUntil: number) => ({
      id,
      at: clock.now(),
      streams: [{ stream: 'task:a', expectedVersion: held.version, events: [{ type: 'task.expired', data: {} }] }],
      tasks: [],
      lease: { id: 'a', until: leaseUntil },
    });
    deepEqual(await backend.commit(expiry('x', until)), { committed: false, stream: 'task:a', version: held.version });
    equal((await backend.commit(expiry('y', clock.now() + MINUTE))).committed, true);
  },

  async 'a heartbeat is no event'({ store }) {
    await store.tasks.add([task('a')]);
    const { fence } = await claimNext(store.tasks);
    const before = (await store.log.read()).length;
    await store.tasks.heartbeat({ id: 'a', fence, leaseMs: MINUTE });
    equal((await store.log.read()).length, before);
  },

  async 'a task waits for those it depends on'({ store }) {
    await store.tasks.add([task('b', { depends_on: ['a'] }), task('a'), task('c', { depends_on: ['a', 'b'] })]);
    const first = await claimNext(store.tasks);
    equal(first.task.id, 'a');
    deepEqual(await store.tasks.claim({ by: 'x', leaseMs: MINUTE }), { status: 'nothing-to-do' });
    const early = await store.tasks.claim({ by: 'x', leaseMs: MINUTE, id: 'c' });
    equal(early.status === 'refused' && early.reason, 'waiting');
    await store.tasks.complete({ id: 'a', fence: first.fence });
    const second = await claimNext(store.tasks);
    equal(second.task.id, 'b');
    await store.tasks.complete({ id: 'b', fence: second.fence });
    equal((await claimNext(store.tasks)).task.id, 'c');
  },

  async '[S2] a task that is added while its dependency is being completed never waits for ever'({ store, another }) {
    const other = await another();
    for (let round = 0; round < 15; round++) {
      await store.tasks.add([task(`a${round}`)]);
      await Promise.all([
        store.tasks.add([task(`b${round}`, { depends_on: [`a${round}`] })]),
        other.tasks.complete({ id: `a${round}` }),
      ]);
      deepEqual((await store.tasks.get(`b${round}`))?.open_dependencies, [], `round ${round}`);
    }
  },

  async 'a task whose dependency was reopened waits for it, whatever happened to it meanwhile'({ store }) {
    await store.tasks.add([task('a'), task('b', { depends_on: ['a'] })]);
    await store.tasks.complete({ id: 'a' });
    await store.tasks.fail({ id: 'b', reason: 'x' });
    await store.tasks.retry('a');
    await store.tasks.retry('b');
    const claim = await store.tasks.claim({ by: 'x', leaseMs: MINUTE, id: 'b' });
    equal(claim.status === 'refused' && claim.reason, 'waiting');
  },

  async 'a task of the same id that was added again and removed leaves nobody waiting'({ store }) {
    await store.tasks.add([task('a'), task('b', { depends_on: ['a'] })]);
    await store.tasks.complete({ id: 'a' });
    await store.tasks.remove('a');
    await store.tasks.add([task('a')]);
    await store.tasks.remove('a');
    equal((await claimNext(store.tasks)).task.id, 'b');
  },

  async '[S3] a claim that is over can change nothing, even if nobody has claimed since'({ store, clock }) {
    await store.tasks.add([task('a')]);
    const first = await claimNext(store.tasks);
    await store.tasks.complete({ id: 'a', fence: first.fence, result: 'first' });
    await store.tasks.retry('a');
    const again = await store.tasks.complete({ id: 'a', fence: first.fence, result: 'first' });
    equal(again.status === 'refused' && again.reason, 'stale');
    const second = await claimNext(store.tasks);
    clock.advance(MINUTE);
    await store.tasks.expire();
    const late = await store.tasks.complete({ id: 'a', fence: second.fence });
    equal(late.status === 'refused' && late.reason, 'stale');
    const third = await claimNext(store.tasks);
    await store.tasks.block({ id: 'a', reason: 'stop' });
    const stopped = await store.tasks.complete({ id: 'a', fence: third.fence });
    equal(stopped.status === 'refused' && stopped.reason, 'stale');
    equal((await store.tasks.get('a'))?.status, 'blocked');
  },

  async 'a task that is done again later makes those behind it wait again'({ store }) {
    await store.tasks.add([task('a'), task('b', { depends_on: ['a'] })]);
    await store.tasks.complete({ id: 'a' });
    await store.tasks.retry('a');
    deepEqual((await store.tasks.get('b'))?.open_dependencies, ['a']);
    await store.tasks.complete({ id: 'a' });
    deepEqual((await store.tasks.get('b'))?.open_dependencies, []);
  },

  async 'a task can fail, be blocked, unblocked, released, retried and removed'({ store }) {
    await store.tasks.add([task('a')]);
    const { fence } = await claimNext(store.tasks);
    equal((await store.tasks.block({ id: 'a', fence, reason: 'no key' })).status, 'ok');
    deepEqual([(await store.tasks.get('a'))?.status, (await store.tasks.get('a'))?.reason], ['blocked', 'no key']);
    equal((await store.tasks.unblock('a')).status, 'ok');
    const second = await claimNext(store.tasks);
    equal((await store.tasks.release({ id: 'a', fence: second.fence })).status, 'ok');
    const third = await claimNext(store.tasks);
    equal((await store.tasks.fail({ id: 'a', fence: third.fence, reason: 'broken' })).status, 'ok');
    equal((await store.tasks.retry('a')).status, 'ok');
    deepEqual(Object.keys((await store.tasks.get('a')) ?? {}).includes('reason'), false);
    equal((await store.tasks.remove('a')).status, 'ok');
    equal(await store.tasks.get('a'), undefined);
    await store.tasks.add([task('a')]);
    equal((await store.tasks.get('a'))?.status, 'pending');
    const late = await store.tasks.complete({ id: 'a', fence: third.fence });
    equal(late.status === 'refused' && late.reason, 'stale');
  },

  async 'what does not fit where a task stands is refused with the reason'({ store }) {
    await store.tasks.add([task('a'), task('b', { depends_on: ['a'] })]);
    const reasonOf = async (outcome: Promise<{ status: string; reason?: string }>) => (await outcome).reason;
    equal(await reasonOf(store.tasks.complete({ id: 'nobody' })), 'unknown');
    equal(await reasonOf(store.tasks.unblock('a')), 'wrong-status');
    equal(await reasonOf(store.tasks.retry('a')), 'wrong-status');
    equal(await reasonOf(store.tasks.release({ id: 'a' })), 'wrong-status');
    equal(await reasonOf(store.tasks.complete({ id: 'a', fence: 4 })), 'stale');
    equal(await reasonOf(store.tasks.complete({ id: 'a', fence: 0 })), 'stale');
    equal(await reasonOf(store.tasks.remove('a')), 'wrong-status');
  },

  async 'completing twice with the same claim is completing once'({ store }) {
    await store.tasks.add([task('a')]);
    const { fence } = await claimNext(store.tasks);
    await store.tasks.complete({ id: 'a', fence, result: 'first' });
    const again = await store.tasks.complete({ id: 'a', fence, result: 'second' });
    equal(again.status === 'ok' && again.task.result, 'first');
    equal((await store.log.read({ stream: 'task:a' })).length, 3);
  },

  async 'adding is all or none'({ store }) {
    await store.tasks.add([task('a')]);
    const bad = { code: 'STORE_INPUT_INVALID' };
    await rejects(store.tasks.add([task('b'), task('a')]), bad);
    await rejects(store.tasks.add([task('b'), task('b')]), bad);
    await rejects(store.tasks.add([task('b', { depends_on: ['nobody'] })]), bad);
    await rejects(store.tasks.add([task('b', { depends_on: ['c'] }), task('c', { depends_on: ['b'] })]), bad);
    equal((await store.tasks.list({ limit: 10 })).total, 1);
  },

  async 'an edited task has its new words, comes at its new priority, and keeps what it waits for'({ store }) {
    await store.tasks.add([task('a'), task('b', { priority: 1 }), task('c', { depends_on: ['a'] })]);
    const edited = await store.tasks.edit({ id: 'a', intent: 'do a well', description: 'all of it', priority: 5 });
    ok(edited.status === 'ok');
    deepEqual(await store.tasks.get('a'), edited.task);
    deepEqual([edited.task.intent, edited.task.priority, edited.task.status], ['do a well', 5, 'pending']);
    equal((await claimNext(store.tasks)).task.id, 'a');
    equal((await store.tasks.edit({ id: 'a', intent: 'too late' })).status, 'refused');
    const waiting = await store.tasks.edit({ id: 'c', priority: 9 });
    ok(waiting.status === 'ok');
    deepEqual(waiting.task.open_dependencies, ['a']);
    equal((await claimNext(store.tasks)).task.id, 'b');
    await rejects(store.tasks.edit({ id: 'c', intent: 'two\nlines' }), { code: 'STORE_INPUT_INVALID' });
  },

  async 'a blocked task that is edited stays blocked, for the same reason'({ store }) {
    await store.tasks.add([task('a', { blocked: 'not yet' })]);
    await store.tasks.edit({ id: 'a', priority: 2 });
    const now = await store.tasks.get('a');
    deepEqual([now?.status, now?.reason, now?.priority], ['blocked', 'not yet', 2]);
  },

  async 'bad ids and texts are refused, and the message says what is allowed'({ store }) {
    const bad = { code: 'STORE_INPUT_INVALID' };
    for (const id of ['', 'a/b', '..', 'a..b', 'a\nb', 'é', '-a', 'a'.repeat(101)]) {
      await rejects(store.tasks.add([task(id)]), bad, id);
      await rejects(store.tasks.get(id), bad, id);
    }
    for (const intent of ['', '  ', 'two\nlines', 'x'.repeat(10_000_000), 'a ```fence``` inside', 'nul\u0000']) {
      await rejects(store.tasks.add([task('a', { intent })]), bad);
    }
    await rejects(store.tasks.add([task('a', { priority: 0.5 })]), bad);
    await rejects(store.tasks.claim({ by: '', leaseMs: MINUTE }), bad);
    await rejects(store.tasks.claim({ by: 'x', leaseMs: 0 }), bad);
    await rejects(store.tasks.claim({ by: 'x', leaseMs: 1e300 }), bad);
    await rejects(store.tasks.list({ limit: 1.5 }), bad);
    await rejects(store.tasks.add([task(`ghp_${'a1B2c3D4e5F6'.repeat(3)}`)]), bad);
    for (const odd of [null, 5, { id: 5, intent: 'x' }, { id: 'a', intent: ['x'] }]) {
      await rejects(store.tasks.add([odd as unknown as NewTask]), bad);
    }
    equal((await store.tasks.list({ limit: 10 })).total, 0);
  },

  async 'listing has pages, statuses and a search'({ store }) {
    await store.tasks.add(Array.from({ length: 12 }, (_, index) => task(`t${String(index).padStart(2, '0')}`)));
    await store.tasks.complete({ id: 't03' });
    const page = await store.tasks.list({ limit: 5, offset: 5 });
    deepEqual([ids(page.tasks), page.total], [['t05', 't06', 't07', 't08', 't09'], 12]);
    deepEqual(ids((await store.tasks.list({ statuses: ['done'], limit: 5 })).tasks), ['t03']);
    equal((await store.tasks.list({ statuses: ['pending'], limit: 2 })).total, 11);
    deepEqual(ids((await store.tasks.list({ text: 'DO T1', limit: 5 })).tasks), ['t10', 't11']);
  },

  async '[S1] the state is the fold of the log, with or without snapshots'({ store, another, clock }) {
    for (let round = 0; round < 60; round++) {
      const id = `task-${round}`;
      await store.tasks.add([task(id)]);
      clock.advance(1_000);
      if (round % 7 === 3) await store.tasks.block({ id, reason: `because ${round}` });
      else if (round % 7 === 5) await store.tasks.fail({ id, reason: 'no luck' });
      else await store.tasks.complete({ id, result: `result ${round}` });
      if (round === 40) await store.state();
    }
    const state = await store.state();
    deepEqual(await (await another()).state(), state);
    equal(state.blocked_tasks.length, 9);
    equal(state.finished_count, 51);
    equal(state.completed_tasks.at(-1)?.task_id, 'task-58');
  },
};
