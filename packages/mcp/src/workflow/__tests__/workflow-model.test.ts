import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { it } from 'vitest';
import { compareWithModel } from './compare-with-model.js';
import { anyCommands, anyTemplate } from './random-workflow.js';

it('[W3] [W5] [W10] answers as the model does to any workflow and any requests, repeated or lost, at two servers that are started anew', {
  timeout: 0,
}, async () => {
  await fc.assert(fc.asyncProperty(anyTemplate, anyCommands, compareWithModel), {
    numRuns: rounds(300),
    seed: seed(),
  });
});
