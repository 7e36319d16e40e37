import { createEventLog } from '@devs/core';
import { createMemoryBackend } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { beginRenewal } from '../begin-renewal.js';
import { createRenewalRecord } from '../renewal-record.js';

describe('an agent that has exited', () => {
  it.each([
    ['cleanly with work left', { exitCode: 0, hasWorkLeft: true }, true, { begun: true, refreshCount: 1 }],
    [
      'cleanly and is done',
      { exitCode: 0, hasWorkLeft: false },
      true,
      { begun: false, reason: 'nothing is left to do' },
    ],
    ['with an error', { exitCode: 1, hasWorkLeft: true }, true, { begun: false, reason: 'it did not exit cleanly' }],
    ['where it may not', { exitCode: 0, hasWorkLeft: true }, false, { begun: false, reason: 'switched off' }],
  ])('%s is started fresh or not, as maybeAutoHandoff says', async (_how, exit, autoHandoff, expected) => {
    const log = createEventLog({ backend: createMemoryBackend(), clock: { now: () => 0 }, newId: () => 'commit' });
    const request = {
      cause: 'clean exit',
      agentId: 'a1',
      ask: false,
      autoHandoff,
      isShuttingDown: false,
      most: 10,
      exit,
    } as const;
    const begun = await beginRenewal(createRenewalRecord(log, 't1'), request, { newId: () => 'a2', now: () => 0 });
    expect(begun).toMatchObject(expected);
    expect(await log.read({ stream: 'terminal:t1' })).toHaveLength(expected.begun ? 1 : 0);
  });
});
