import {
  createContractWorld,
  eventLogContract,
  leasesContract,
  type Proof,
  taskQueueContract,
} from '@devs/core/testing';
import { describe, it } from 'vitest';
import { openSqliteBackend } from '../open-sqlite-backend.js';
import { scratchFile } from './scratch.js';

const prove = async (proof: Proof) => {
  const file = scratchFile();
  const world = await createContractWorld(async () => openSqliteBackend({ file }));
  try {
    await proof(world);
  } finally {
    await world.close();
  }
};

describe('the event log in SQLite', () => {
  it.each(Object.entries(eventLogContract))('%s', (_sentence, proof) => prove(proof));
});

describe('the task queue in SQLite', () => {
  it.each(Object.entries(taskQueueContract))('%s', (_sentence, proof) => prove(proof));
});

describe('leases in SQLite', () => {
  it.each(Object.entries(leasesContract))('%s', (_sentence, proof) => prove(proof));
});
