import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createPoll } from '../create-poll.js';

it('runs one after the other, and a request during a run gets the next one', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const poll = createPoll({
    everyMs: 60_000,
    task: async () => {
      most = Math.max(most, ++running);
      await pause(5);
      runs++;
      running--;
    },
  });
  onTestFinished(poll.close);

  await Promise.all([poll.run(), poll.run(), poll.run(), poll.run()]);

  expect({ most, runs }).toEqual({ most: 1, runs: 2 });
});

it('looks when a file of ours changes, and never after it was closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'devs-poll-'));
  let runs = 0;
  const poll = createPoll({ everyMs: 60_000, task: async () => void runs++ });
  onTestFinished(() => {
    poll.close();
    rmSync(folder, { recursive: true });
  });
  await poll.run();
  poll.listen(folder, (name) => name === 'ours');
  const before = runs;
  writeFileSync(join(folder, 'ours'), 'x');
  while (runs === before) await pause(5);
  poll.close();
  const atClose = runs;
  writeFileSync(join(folder, 'ours'), 'y');
  await poll.run();

  expect(runs).toBe(atClose);
});
