import { expect, it } from 'vitest';
import { didYouMean } from '../did-you-mean.js';

const KEYS = ['id', 'type', 'agent', 'instructions', 'loop', 'n', 'artefacts', 'on_fail', 'retries', 'context'];

it.each([
  { written: 'instruction', meant: 'instructions' },
  { written: 'instrcutions', meant: 'instructions' },
  { written: 'Context', meant: 'context' },
  { written: 'onFail', meant: 'on_fail' },
  { written: 'retry', meant: undefined },
  { written: 'retires', meant: 'retries' },
  { written: 'artifacts', meant: 'artefacts' },
  { written: 'lop', meant: 'loop' },
  { written: 'di', meant: 'id' },
  { written: 'x', meant: undefined },
  { written: '', meant: undefined },
  { written: 'description', meant: undefined },
])('takes $written for $meant', ({ written, meant }) => {
  expect(didYouMean(written, KEYS)).toBe(meant === undefined ? undefined : `did you mean '${meant}'?`);
});

it('takes the nearest of several', () => {
  expect(didYouMean('coder', ['coders', 'codor', 'Coder', 'code'])).toBe("did you mean 'Coder'?");
});
