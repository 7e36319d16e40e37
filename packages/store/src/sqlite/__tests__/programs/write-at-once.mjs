// FILE NAME TIMES: appends, renews a lease and works through tasks at the same time, TIMES times each; prints
// acknowledged changes, refused changes and the longest wait.
import { note, openScratchStore, say } from './open-scratch-store.mjs';

const [file = '', name = '', times = '0'] = process.argv.slice(2);
const { store } = openScratchStore(file);
const counts = { appends: 0, renewals: 0, tasks: 0 };
/** @type {string[]} */
const errors = [];
let longestMs = 0;

/** @param {(round: number) => Promise<void>} work */
async function repeat(work) {
  for (let round = 0; round < Number(times); round++) {
    const began = performance.now();
    await work(round).catch((error) => void errors.push(`${error.code} ${error.cause?.code}: ${error.message}`));
    longestMs = Math.max(longestMs, performance.now() - began);
  }
}

/** @param {boolean} isTrue @param {string} what */
function mustBe(isTrue, what) {
  if (!isTrue) throw new Error(what);
}

const lease = await store.leases.acquire({ name: `run:${name}`, by: name, leaseMs: 600_000 });
if (lease.status !== 'acquired') throw new Error('the lease is held');
await Promise.all([
  repeat(async () => {
    const { status } = await store.log.append(`run:${name}`, counts.appends, [note(`${name}/${counts.appends}`)]);
    mustBe(status === 'appended', 'a conflict in a stream of our own');
    counts.appends++;
  }),
  repeat(async () => {
    mustBe(await store.leases.renew({ ...lease.lease, leaseMs: 600_000 }), 'the lease is lost');
    counts.renewals++;
  }),
  repeat(async (round) => {
    await store.tasks.add([{ id: `${name}-${round}`, intent: 'do it' }]);
    const claim = await store.tasks.claim({ by: name, leaseMs: 600_000, id: `${name}-${round}` });
    mustBe(claim.status === 'claimed', 'our own task is not ours');
    mustBe((await store.tasks.complete({ id: `${name}-${round}` })).status === 'ok', 'our own task is not done');
    counts.tasks++;
  }),
]);
await store.close();
say({ ...counts, errors, longestMs: Math.round(longestMs) });
