import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { it } from 'vitest';
import { compareWithModel } from './compare-with-model.js';
import { anyCommands, anyTemplate } from './random-workflow.js';

it('[W3] [W5] [W10] answers any requests in any workflow as a simple model does, also when they are repeated, go to two servers, or meet a new one', {
  timeout: 0,
}, async () => {
  await fc.assert(fc.asyncProperty(anyTemplate, anyCommands, compareWithModel), {
    numRuns: rounds(15, 15_000),
    seed: seed(),
  });
});
