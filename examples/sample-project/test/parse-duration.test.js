import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from '../src/index.js';

test('parts are added up', () => {
  assert.equal(parseDuration('1h 30m'), 5_400_000);
  assert.equal(parseDuration(' 2d  250ms '), 172_800_250);
});

test('a part that is not a duration is named', () => {
  assert.throws(() => parseDuration('1h soon'), /Not a duration: 'soon'/);
});
