// What a handoff costs: from a transcript on disk to the finished text, against JSON.parse of every line of it.
import { spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildHandoff, type Ledger, renderHandoff } from '@devs/core';
import { type KeptReading, readLedger, TRANSCRIPT_SOURCES, type TranscriptSource } from '@devs/drivers';
import { createTranscriptWriter } from './lib/transcript.js';

const MB = 1e6;
const BUDGET = { chars: 12_800 };
const source = TRANSCRIPT_SOURCES.find(({ agent }) => agent === 'claude') as TranscriptSource;

// In processes of their own: nothing that ran before is in their memory.
if (process.argv[2] === 'memory') {
  await read(process.argv[3] ?? '');
  console.log(process.resourceUsage().maxRSS * 1_024);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'devs-bench-'));
try {
  console.log('from the transcript to the text, as a multiple of JSON.parse of every line\n');
  for (const [size, rounds, repeats] of [
    [1, 40, 16],
    [4, 20, 8],
    [50, 5, 2],
  ] as const) {
    await compare(write(`${size}.jsonl`, size * MB), { size, rounds, repeats });
  }
  await compareUpdate(join(folder, '50.jsonl'));
  const [small, large] = [memoryFor(5), memoryFor(500)];
  const grown = (large - small) / MB;
  console.log(
    `\n500 MB read: ${(large / MB).toFixed(0)} MB of memory at most, ${grown.toFixed(0)} MB more than for 5 MB (bar: at most 200 MB more: ${verdict(grown <= 200)})`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function write(name: string, bytes: number): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  const writer = createTranscriptWriter(20_261_115);
  for (let written = 0; written < bytes; ) written += writeSync(file, writer.turn());
  closeSync(file);
  return path;
}

interface Comparing {
  readonly size: number;
  readonly rounds: number;
  /**
   * How often the lines are parsed in a row, for the time of once: so that it takes about as long as what it is compared
   * with. Otherwise only one of the two would be interrupted by other programs and by the clearing away of its garbage.
   */
  readonly repeats: number;
}

/** Best of several, turn by turn: other programs disturb both alike. */
async function compare(path: string, { size, rounds, repeats }: Comparing) {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const best = createBest();
  for (let round = 0; round < rounds; round++) {
    await best.time('parse', () => {
      for (let again = 0; again < repeats; again++) for (const line of lines) JSON.parse(line);
    });
    const ledger = await best.time('read', () => read(path));
    await best.time('write', () => writeDocument(ledger));
    await best.time('whole', async () => writeDocument(await read(path)));
  }
  const ratio = (part: string) => best.of(part) / (best.of('parse') / repeats);
  console.log(
    `${`${size} MB`.padStart(5)}: ${times(ratio('whole'))} (bar: at most 2×: ${verdict(ratio('whole') <= 2)}); reading and folding alone ${times(ratio('read'))}, document and text ${times(ratio('write'))}`,
  );
}

/** One more turn, from what was kept as text to what is kept as text. */
async function compareUpdate(path: string) {
  const writer = createTranscriptWriter(7);
  const best = createBest();
  let kept = JSON.stringify((await readLedger({ source, path })).kept);
  for (let round = 0; round < 5; round++) {
    await best.time('whole', async () => writeDocument(await read(path)));
    for (let turn = 0; turn < 4; turn++) {
      appendFileSync(path, writer.turn());
      kept = await best.time('update', () => update(path, kept));
    }
  }
  const share = (100 * best.of('update')) / best.of('whole');
  console.log(
    `\none more turn of 50 MB: ${share.toFixed(1)} % of building it anew (bar: under 5 %: ${verdict(share < 5)})`,
  );
}

async function update(path: string, text: string): Promise<string> {
  const reading = await readLedger({ source, path, kept: JSON.parse(text) as KeptReading });
  if (reading.startedOver) throw new Error('what was kept should have been of use');
  return JSON.stringify(reading.kept);
}

async function read(path: string): Promise<Ledger> {
  return (await readLedger({ source, path })).ledger;
}

function writeDocument(ledger: Ledger): string {
  return renderHandoff(buildHandoff(ledger), BUDGET);
}

/** Bytes that a process of its own has at most while it reads a transcript of this size. */
function memoryFor(size: number): number {
  const path = write('memory.jsonl', size * MB);
  const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'memory', path], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`the process that was to be measured failed: ${run.stderr}`);
  return Number(run.stdout);
}

function createBest() {
  const best = new Map<string, number>();
  return {
    async time<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
      const started = process.hrtime.bigint();
      const result = await work();
      const elapsed = Number(process.hrtime.bigint() - started);
      best.set(name, Math.min(elapsed, best.get(name) ?? elapsed));
      return result;
    },
    of: (name: string): number => best.get(name) ?? Number.NaN,
  };
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)}×`;
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'NOT MET';
}
