// How many durable appends the event log does on SQLite, next to another checkout of devs that is built: by the clock, and by the
// time of the processor, in short turns in one process.
//   pnpm bench store-against ../before/
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EventLog } from '@devs/core';

const BAR = 0.9;
const ROUNDS = 41;
const APPENDS = 150;
const HERE = new URL('../..', import.meta.url).pathname;
const [there] = process.argv.slice(2);

if (there === undefined)
  console.log('\nstore-against: name another checkout of devs that is built: pnpm bench store-against FOLDER/');
else await compare(there);

interface Turn {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function compare(other: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'devs-bench-'));
  try {
    const [ours, theirs] = [
      await openLog(HERE, join(folder, 'ours.db')),
      await openLog(other, join(folder, 'theirs.db')),
    ];
    const turns: { readonly ours: Turn; readonly theirs: Turn }[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      // Each is the first in every other round: what the one leaves to do for the disk or the collector, the other pays.
      const first = round % 2 === 0 ? ours : theirs;
      const [one, other] = [await takeTurn(first, round), await takeTurn(first === ours ? theirs : ours, round)];
      if (round >= 0) turns.push(first === ours ? { ours: one, theirs: other } : { ours: other, theirs: one });
    }
    await Promise.all([ours.close(), theirs.close()]);
    console.log(`\ndurable appends of one event: here, in ${other}, and the ratio (median of ${ROUNDS} rounds)\n`);
    report(
      'by the clock',
      turns.map(({ ours, theirs }) => [ours.wallMs, theirs.wallMs]),
    );
    report(
      'by the processor',
      turns.map(({ ours, theirs }) => [ours.cpuMs, theirs.cpuMs]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface OpenLog {
  readonly log: EventLog;
  close(): Promise<void>;
}

async function openLog(checkout: string, file: string): Promise<OpenLog> {
  const load = (part: string): Promise<unknown> => import(pathToFileURL(join(checkout, 'packages', part)).href);
  const { createEventLog } = (await load('core/dist/index.js')) as typeof import('@devs/core');
  const { openSqliteBackend } = (await load('store/dist/index.js')) as typeof import('@devs/store');
  const backend = openSqliteBackend({ file });
  return { log: createEventLog({ backend, clock: Date, newId: randomUUID }), close: () => backend.close() };
}

async function takeTurn({ log }: OpenLog, round: number): Promise<Turn> {
  const data = { text: 'The parser keeps its state while tokens arrive; the tests pass.', count: 7 };
  const [began, used] = [performance.now(), process.cpuUsage()];
  for (let version = 0; version < APPENDS; version++)
    await log.append(`bench:round-${round + 1}`, version, [{ type: 'note.written', data }]);
  const { user, system } = process.cpuUsage(used);
  return { wallMs: performance.now() - began, cpuMs: (user + system) / 1_000 };
}

function report(how: string, turns: readonly (readonly [ours: number, theirs: number])[]): void {
  const perSecond = (ms: number) => ((APPENDS / ms) * 1_000).toFixed(0).padStart(9);
  const ratio = median(turns.map(([ours, theirs]) => theirs / ours));
  const speeds = [median(turns.map(([ours]) => ours)), median(turns.map(([, theirs]) => theirs))].map(perSecond);
  console.log(how.padEnd(18), ...speeds, `${ratio.toFixed(2)}×  bar ${BAR}×: ${ratio >= BAR ? 'met' : 'NOT MET'}`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
