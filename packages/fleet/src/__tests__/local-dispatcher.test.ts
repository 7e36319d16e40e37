import { dispatcherContract, proveDispatcher } from '@devs/core/testing';
import { describe, it } from 'vitest';
import { createLocalDispatcher } from '../local-dispatcher.js';

describe('a dispatcher in the memory of one process', () => {
  it.each(Object.entries(dispatcherContract))('%s', (_sentence, proof) =>
    proveDispatcher(proof, createLocalDispatcher()),
  );
});
