import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { Leases } from '../../ports/leases.js';
import type { Proof } from './contract-world.js';

const NAME = 'run:abc';
const MINUTE = 60_000;

async function acquire(leases: Leases, by: string) {
  const outcome = await leases.acquire({ name: NAME, by, leaseMs: MINUTE });
  if (outcome.status !== 'acquired') throw new Error(`held by ${outcome.by}`);
  return outcome.lease;
}

/** What every store must do with named leases. */
export const leasesContract: Readonly<Record<string, Proof>> = {
  async 'a lease that was acquired is seen by others until it ends'({ store, another, clock }) {
    const other = await another();
    equal(await other.leases.get(NAME), undefined);
    const lease = await acquire(store.leases, 'anna');
    deepEqual(lease, { name: NAME, by: 'anna', fence: 1, until: clock.now() + MINUTE });
    clock.advance(MINUTE - 1);
    deepEqual(await other.leases.get(NAME), lease);
    clock.advance(1);
    equal(await other.leases.get(NAME), undefined);
  },

  async 'a live lease is never taken away, not even by the same holder'({ store, another }) {
    const other = await another();
    const lease = await acquire(store.leases, 'anna');
    for (const by of ['bob', 'anna']) {
      const outcome = await other.leases.acquire({ name: NAME, by, leaseMs: MINUTE });
      deepEqual(outcome, { status: 'held', by: 'anna', until: lease.until });
    }
    deepEqual(await store.leases.get(NAME), lease);
  },

  async 'leases of other names have nothing to do with it'({ store }) {
    await acquire(store.leases, 'anna');
    const outcome = await store.leases.acquire({ name: 'run:abc-2', by: 'bob', leaseMs: MINUTE });
    equal(outcome.status === 'acquired' && outcome.lease.fence, 1);
    equal((await store.leases.get(NAME))?.by, 'anna');
  },

  async 'renewing moves the end, and can be said again'({ store, clock }) {
    const { fence } = await acquire(store.leases, 'anna');
    clock.advance(MINUTE - 1);
    equal(await store.leases.renew({ name: NAME, fence, leaseMs: MINUTE }), true);
    equal(await store.leases.renew({ name: NAME, fence, leaseMs: MINUTE }), true);
    clock.advance(MINUTE - 1);
    deepEqual(await store.leases.get(NAME), { name: NAME, by: 'anna', fence, until: clock.now() + 1 });
  },

  async 'a holder that comes late keeps the lease if nobody took it, and has lost it if somebody did'(world) {
    const { store, another, clock } = world;
    const other = await another();
    const { fence } = await acquire(store.leases, 'anna');
    clock.advance(2 * MINUTE);
    equal(await store.leases.renew({ name: NAME, fence, leaseMs: MINUTE }), true);
    clock.advance(MINUTE);
    const second = await acquire(other.leases, 'bob');
    equal(await store.leases.renew({ name: NAME, fence, leaseMs: MINUTE }), false);
    equal(await store.leases.release({ name: NAME, fence }), false);
    deepEqual(await store.leases.get(NAME), second);
  },

  async 'a lease that was released is free at once, and over for good'({ store, another }) {
    const other = await another();
    const { fence } = await acquire(store.leases, 'anna');
    equal(await store.leases.release({ name: NAME, fence }), true);
    equal(await other.leases.get(NAME), undefined);
    equal(await store.leases.renew({ name: NAME, fence, leaseMs: MINUTE }), false);
    equal(await store.leases.release({ name: NAME, fence }), false);
    equal((await acquire(other.leases, 'bob')).by, 'bob');
  },

  async 'fences rise with every holder, after a release and after an end'({ store, clock }) {
    const fences: number[] = [];
    for (let round = 0; round < 3; round++) {
      const released = await acquire(store.leases, 'anna');
      await store.leases.release({ name: NAME, fence: released.fence });
      const forgotten = await acquire(store.leases, 'anna');
      clock.advance(MINUTE);
      fences.push(released.fence, forgotten.fence);
    }
    deepEqual(fences, [1, 2, 3, 4, 5, 6]);
  },

  async 'of many that want the same lease at once exactly one gets it, time after time'({ store, another, clock }) {
    const stores = [store, await another(), await another()];
    for (let round = 1; round <= 5; round++) {
      const outcomes = await Promise.all(
        // All call themselves the same and ask at the same millisecond: nothing but the store can tell them apart.
        Array.from({ length: 12 }, (_, index) =>
          (stores[index % 3] ?? store).leases.acquire({ name: NAME, by: 'anna', leaseMs: MINUTE }),
        ),
      );
      const acquired = outcomes.flatMap((outcome) => (outcome.status === 'acquired' ? [outcome.lease.fence] : []));
      deepEqual(acquired, [round]);
      clock.advance(MINUTE);
    }
  },

  async 'of a late renewal and a new holder at the same time one wins'({ store, another, clock }) {
    const other = await another();
    for (let round = 0; round < 10; round++) {
      const { fence } = await acquire(store.leases, 'anna');
      clock.advance(MINUTE);
      const [renewed, taken] = await Promise.all([
        store.leases.renew({ name: NAME, fence, leaseMs: MINUTE }),
        other.leases.acquire({ name: NAME, by: 'bob', leaseMs: MINUTE }),
      ]);
      equal(renewed, taken.status === 'held', `round ${round}`);
      equal((await store.leases.get(NAME))?.by, renewed ? 'anna' : 'bob');
      clock.advance(MINUTE);
    }
  },

  async 'a swap that is sent twice counts once, and one that was decided on old ground changes nothing'({ backend }) {
    const record = (revision: string) => ({ name: NAME, by: 'anna', fence: 1, until: 5, revision });
    const first = { expectedRevision: undefined, after: record('one') };
    deepEqual([await backend.swapLease(first), await backend.swapLease(first)], [true, true]);
    equal(await backend.swapLease({ expectedRevision: undefined, after: record('two') }), false);
    equal(await backend.swapLease({ expectedRevision: 'zero', after: record('two') }), false);
    deepEqual(await backend.loadLease(NAME), record('one'));
    const second = { expectedRevision: 'one', after: record('two') };
    deepEqual([await backend.swapLease(second), await backend.swapLease(second)], [true, true]);
    equal(await backend.swapLease(first), false);
    deepEqual(await backend.loadLease(NAME), record('two'));
  },

  async 'nothing of it is an event'({ store, clock }) {
    const { fence } = await acquire(store.leases, 'anna');
    await store.leases.renew({ name: NAME, fence, leaseMs: MINUTE });
    await store.leases.release({ name: NAME, fence });
    clock.advance(MINUTE);
    deepEqual(await store.log.read(), []);
  },

  async 'bad names and times are refused, and a secret in the name of the holder is not stored'({ store }) {
    const bad = { code: 'STORE_INPUT_INVALID' };
    const request = { name: NAME, by: 'anna', leaseMs: MINUTE };
    for (const name of ['', 'run', 'run:', 'Run:a', 'run:a b', 'run:..']) {
      await rejects(store.leases.acquire({ ...request, name }), bad, name);
      await rejects(store.leases.renew({ name, fence: 1, leaseMs: MINUTE }), bad, name);
      await rejects(store.leases.release({ name, fence: 1 }), bad, name);
      await rejects(store.leases.get(name), bad, name);
    }
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    await rejects(store.leases.acquire({ ...request, name: `run:${token}` }), bad);
    await rejects(store.leases.acquire({ ...request, by: '' }), bad);
    for (const leaseMs of [0, -1, 0.5, Number.NaN]) await rejects(store.leases.acquire({ ...request, leaseMs }), bad);
    const outcome = await store.leases.acquire({ ...request, by: `host ${token}` });
    equal(outcome.status === 'acquired' && outcome.lease.by.includes(token), false);
  },
};
