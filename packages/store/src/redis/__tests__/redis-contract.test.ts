import {
  createContractWorld,
  eventLogContract,
  leasesContract,
  type Proof,
  taskQueueContract,
} from '@devs/core/testing';
import { describe, it } from 'vitest';
import { openRedisBackend } from '../create-redis-backend.js';
import { useScratchRedis } from './scratch-redis.js';

const redis = useScratchRedis();
let proofs = 0;

/** Each proof has its own prefix, which acts as its own database. */
const prove = async (proof: Proof) => {
  const keyPrefix = `proof-${++proofs}:`;
  const world = await createContractWorld(() =>
    openRedisBackend({ url: redis().url, keyPrefix, leaseClock: 'caller' }),
  );
  try {
    await proof(world);
  } finally {
    await world.close();
  }
};

describe('the event log in Redis', () => {
  it.each(Object.entries(eventLogContract))('%s', (_sentence, proof) => prove(proof));
});

describe('the task queue in Redis', () => {
  it.each(Object.entries(taskQueueContract))('%s', (_sentence, proof) => prove(proof));
});

describe('leases in Redis', () => {
  it.each(Object.entries(leasesContract))('%s', (_sentence, proof) => prove(proof));
});
