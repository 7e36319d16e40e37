// How long `joinCompletion` takes to put two halves of an answer together, next to JSON.parse of the joined text, and
// whether that ratio stays the same when the answer grows: the join is linear.
import { joinCompletion } from '@devs/core';
import { jsonOf } from './lib/json-corpus.js';
import { bestNanoseconds } from './lib/measure.js';

const SIZES = { '100 KB': 100_000, '400 KB': 400_000, '1 MB': 1_000_000, '4 MB': 4_000_000 } as const;
/** How much the ratio may grow from the smallest size to the largest; that of a quadratic join would grow 40 times. */
const MAX_GROWTH = 4;
const WARM_UP_ROUNDS = 60;

interface Halves {
  readonly prefix: string;
  readonly completion: string;
  /** The document that the model has in mind. */
  readonly whole: string;
}

const half = (text: string) => text.slice(0, text.length / 2);
const restOf = (text: string) => text.slice(half(text).length);

/** What the model does; the last three are texts in which a repetition could be anywhere. */
const WAYS: Readonly<Record<string, (size: number) => Halves>> = {
  'continues a long string': (size) => exactly(jsonOf('string-heavy', size)),
  'continues rows': (size) => exactly(jsonOf('dense', size)),
  'repeats the last kilobyte': (size) => {
    const { prefix, completion, whole } = exactly(jsonOf('dense', size));
    return { prefix, completion: prefix.slice(-1_000) + completion, whole };
  },
  'restarts, pretty-printed': (size) => {
    const text = jsonOf('dense', size / 2);
    const whole = JSON.stringify(JSON.parse(text), null, 2);
    return { prefix: half(text), completion: whole, whole };
  },
  'zeros only': (size) => exactly(`[${'0,'.repeat(size / 2)}1]`),
  'a string of two characters': (size) => exactly(`["${'ab'.repeat(size / 2)}"]`),
  'equal objects, cut again': (size) => {
    const { prefix, completion, whole } = exactly(`[${'{"line":1},'.repeat(size / 11)}0]`);
    return { prefix, completion: completion.slice(0, -1), whole };
  },
};

const exactly = (whole: string): Halves => ({ prefix: half(whole), completion: restOf(whole), whole });

for (const makeHalves of Object.values(WAYS)) {
  const { prefix, completion } = makeHalves(20_000);
  for (let round = 0; round < WARM_UP_ROUNDS; round++) joinCompletion(prefix, completion, { stopReason: 'max_tokens' });
}

console.log('Time of joinCompletion, as a multiple of JSON.parse of the same document in the same run\n');
console.log(cells(['the model', ...Object.keys(SIZES), 'growth', `linear: at most ${MAX_GROWTH}×`]));
for (const [name, makeHalves] of Object.entries(WAYS)) {
  const ratios = Object.values(SIZES).map((size) => ratioFor(makeHalves(size)));
  const growth = (ratios.at(-1) ?? 0) / (ratios[0] ?? 1);
  console.log(cells([name, ...ratios.map(times), times(growth), growth <= MAX_GROWTH ? 'met' : 'NOT MET']));
}

function ratioFor({ prefix, completion, whole }: Halves): number {
  const join = () => void joinCompletion(prefix, completion, { stopReason: 'max_tokens' });
  const parse = () => void JSON.parse(whole);
  return nanosecondsOf(join, whole.length) / nanosecondsOf(parse, whole.length);
}

/** Large texts are measured fewer times: one call is long enough to be a sample. */
function nanosecondsOf(work: () => void, length: number): number {
  return bestNanoseconds(work, { samples: length >= 1e6 ? 3 : 8 });
}

function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`;
}

function cells(columns: readonly string[]): string {
  return columns
    .map((column, index) => (index === 0 ? column.padEnd(28) : column.padStart(9)))
    .join('  ')
    .trimEnd();
}
