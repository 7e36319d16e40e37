import { describe, it } from 'vitest';
import { createMemoryBackend, createMemoryDisk } from '../../testing/memory-backend.js';
import { createContractWorld, type Proof } from '../../testing/store-contract/contract-world.js';
import { eventLogContract } from '../../testing/store-contract/event-log-contract.js';
import { leasesContract } from '../../testing/store-contract/leases-contract.js';
import { taskQueueContract } from '../../testing/store-contract/task-queue-contract.js';

const prove = async (proof: Proof) => {
  const disk = createMemoryDisk();
  const world = await createContractWorld(async () => createMemoryBackend(disk));
  await proof(world);
  await world.close();
};

describe('the event log in memory', () => {
  it.each(Object.entries(eventLogContract))('%s', (_sentence, proof) => prove(proof));
});

describe('[S2] [S3] the task queue in memory', () => {
  it.each(Object.entries(taskQueueContract))('%s', (_sentence, proof) => prove(proof));
});

describe('leases in memory', () => {
  it.each(Object.entries(leasesContract))('%s', (_sentence, proof) => prove(proof));
});
