// Whether a prompt costs the same with 100,000 finished tasks as with 100, on the default store.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildMinimalState,
  buildPrompt,
  readSupervisorState,
  type StoreBackend,
  type SupervisorState,
} from '@devs/core';
import { openSqliteBackend } from '@devs/store';
import { bestNanoseconds } from './lib/measure.js';

const FEW = 100;
const MANY = 100_000;
const TASKS_PER_COMMIT = 500;
const task = { id: 'next', intent: 'Add an index to the orders table' };

const folder = mkdtempSync(join(tmpdir(), 'devs-bench-'));
try {
  const few = await fill(join(folder, 'few.db'), FEW);
  const many = await fill(join(folder, 'many.db'), MANY);
  const build = ratio(await promptCost(few), await promptCost(many));
  const open = ratio(await openingCost(few), await openingCost(many));
  console.log(
    `buildPrompt with ${MANY} finished tasks against ${FEW}: ${times(build)} (bar: at most 1.2×: ${verdict(build <= 1.2)})`,
  );
  console.log(
    `the same with opening the store and reading the state: ${times(open)} (bar: at most 3×: ${verdict(open <= 3)})`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function fill(file: string, tasks: number): Promise<string> {
  const backend = await openSqliteBackend({ file });
  for (let from = 0; from < tasks; from += TASKS_PER_COMMIT)
    await finishTasks(backend, from, Math.min(tasks, from + TASKS_PER_COMMIT));
  await readSupervisorState(backend);
  await backend.close();
  return file;
}

async function finishTasks(backend: StoreBackend, from: number, to: number): Promise<void> {
  const streams = Array.from({ length: to - from }, (_, index) => ({
    stream: `task:task-${from + index}`,
    expectedVersion: 0,
    events: [
      { type: 'task.completed', data: { intent: `Do step ${from + index}`, result: 'Done, and the tests pass.' } },
    ],
  }));
  await backend.commit({ id: `commit-${from}`, at: Date.UTC(2026, 0, 1) + from, streams, tasks: [] });
}

async function promptCost(file: string): Promise<number> {
  const state = await stateOf(file);
  return bestNanoseconds(() => buildPrompt(task, buildMinimalState(state)));
}

/** Opening reads files, which takes its time: the best of many. */
async function openingCost(file: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < 30; sample++) {
    const started = process.hrtime.bigint();
    buildPrompt(task, buildMinimalState(await stateOf(file)));
    best = Math.min(best, Number(process.hrtime.bigint() - started));
  }
  return best;
}

async function stateOf(file: string): Promise<SupervisorState> {
  const backend = await openSqliteBackend({ file });
  const state = await readSupervisorState(backend);
  await backend.close();
  return state;
}

function ratio(few: number, many: number): number {
  return many / few;
}

function times(value: number): string {
  return `${value.toFixed(2)}×`;
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'NOT MET';
}
