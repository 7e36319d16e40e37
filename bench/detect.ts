// How fast `detect` reads an answer, next to JSON.parse (which builds the value) and @streamparser/json (which streams).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { detect, JsonScanner } from '@devs/core';
import { Tokenizer } from '@streamparser/json';
import { jsonOf, type Shape } from './lib/json-corpus.js';
import { bestNanoseconds, megabytesPerSecond } from './lib/measure.js';

const SIZES = { '1 KB': 1_000, '100 KB': 100_000, '10 MB': 10_000_000 } as const;
const CHUNK = 20;
/** What `detect` must reach on 100 KB, as multiples of the peers in the same run. */
const BARS: Readonly<Record<Shape, { readonly parse: number; readonly streamparser: number }>> = {
  'string-heavy': { parse: 2, streamparser: 20 },
  dense: { parse: 1.5, streamparser: 5 },
};

// In a process of its own: what runs before would leave garbage, and the compiler's mind, in another state.
if (process.argv[2] === 'stream') {
  streamOneGigabyte();
  process.exit(0);
}

const warmUp = (['string-heavy', 'dense'] as const).map((shape) => jsonOf(shape, 20_000));
for (let round = 0; round < 300; round++) {
  for (const text of warmUp) {
    detect(text);
    detect(text.slice(0, -1));
    scanInChunks(text);
  }
}

console.log('MB/s, and how many times as fast as the peer in the same run\n');
console.log(cells(['document', 'detect', 'JSON.parse', 'streamparser', '× parse', '× streamparser', 'bar']));
for (const shape of ['string-heavy', 'dense'] as const) {
  for (const [name, size] of Object.entries(SIZES)) {
    const text = jsonOf(shape, size);
    const cut = text.slice(0, -2);
    const bar = size === SIZES['100 KB'] ? BARS[shape] : undefined;
    const parse = speed(text, () => JSON.parse(text));
    const peer = speed(text, () => peerTokenizer().write(text));
    report(`${shape} ${name}`, { ours: speed(text, () => detect(text)), parse, peer, bar });
    report('  cut off', { ours: speed(text, () => detect(cut)), parse, peer });
    report(`  in ${CHUNK}-byte chunks`, {
      ours: speed(text, () => scanInChunks(text)),
      parse,
      peer: speed(text, () => peerInChunks(text)),
    });
  }
}

spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), 'stream'], { stdio: 'inherit' });

function report(
  name: string,
  {
    ours,
    parse,
    peer,
    bar,
  }: { ours: number; parse: number; peer: number; bar?: { parse: number; streamparser: number } | undefined },
): void {
  const verdict =
    bar === undefined ? '' : ours / parse >= bar.parse && ours / peer >= bar.streamparser ? 'met' : 'NOT MET';
  const wanted = bar === undefined ? '' : `${bar.parse}× and ${bar.streamparser}×: ${verdict}`;
  console.log(
    cells([name, ours.toFixed(0), parse.toFixed(0), peer.toFixed(0), times(ours / parse), times(ours / peer), wanted]),
  );
}

/** Memory must not grow with the length of what streams through. */
function streamOneGigabyte(): void {
  const chunk = JSON.stringify(jsonOf('string-heavy', 65_536)).slice(1, -1);
  const scanner = new JsonScanner();
  scanner.write('{"content":"');
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const started = process.hrtime.bigint();
  let written = 0;
  for (; written < 1e9; written += chunk.length) scanner.write(chunk);
  scanner.write('"}');
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const grown = (process.memoryUsage().rss - before) / 1e6;
  const { status } = scanner.end();
  console.log(
    `\n1 GB streamed: ${status}, memory grew by ${grown.toFixed(1)} MB (bar: under 20 MB: ${grown < 20 ? 'met' : 'NOT MET'}), ${megabytesPerSecond(written, seconds * 1e9).toFixed(0)} MB/s`,
  );
}

function scanInChunks(text: string): void {
  const scanner = new JsonScanner();
  for (let index = 0; index < text.length; index += CHUNK) scanner.write(text.slice(index, index + CHUNK));
  scanner.end();
}

function peerInChunks(text: string): void {
  const tokenizer = peerTokenizer();
  for (let index = 0; index < text.length; index += CHUNK) tokenizer.write(text.slice(index, index + CHUNK));
}

function peerTokenizer(): Tokenizer {
  const tokenizer = new Tokenizer();
  tokenizer.onToken = () => {};
  return tokenizer;
}

/** Large documents are measured fewer times: one call is long enough to be a sample. */
function speed(text: string, work: () => void): number {
  const isLarge = text.length > 1e6;
  if (!isLarge) bestNanoseconds(work, { samples: 10 }); // the optimizing compiler gives up and starts anew on each new shape
  const samples = isLarge ? 3 : 15;
  return megabytesPerSecond(text.length, bestNanoseconds(work, { samples }));
}

function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`;
}

function cells(columns: readonly string[]): string {
  const widths = [22, 9, 11, 13, 9, 15, 0];
  return columns
    .map((column, index) => (index === 0 ? column.padEnd(22) : column.padStart(widths[index] ?? 0)))
    .join('  ')
    .trimEnd();
}
