// `pnpm sizes`: how large things are, against the guidance in style.md. Never fails: sizes are for people to judge.
import { measureSizes } from './lib/source/measure-sizes.mjs';
import { readSources } from './lib/source/sources.mjs';

const SHOWN = 5;

for (const { what, limits, measured } of measureSizes(readSources())) {
  const [comfortable, lookAgain, writeDown] = limits;
  const over = (/** @type {number} */ limit) => measured.filter(({ value }) => value > limit).length;
  const largest = measured.toSorted((a, b) => b.value - a.value).slice(0, SHOWN);
  console.log(`\n${what}: ${measured.length} measured, median ${median(measured.map(({ value }) => value))}`);
  console.log(
    `  over ${comfortable}: ${over(comfortable)}   over ${lookAgain}: ${over(lookAgain)}   over ${writeDown}: ${over(writeDown)}`,
  );
  for (const { name, value } of largest) console.log(`  ${String(value).padStart(5)} ${mark(value, limits)} ${name}`);
}

/**
 * @param {number} value
 * @param {readonly [number, number, number]} limits
 */
function mark(value, [comfortable, lookAgain, writeDown]) {
  if (value > writeDown) return '!!';
  if (value > lookAgain) return '! ';
  return value > comfortable ? '. ' : '  ';
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
