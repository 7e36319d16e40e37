import { expect, it } from 'vitest';
import { suggestCommand } from '../suggest-command.js';

const PATHS = ['debug', 'debug protocol', 'debug detect'];

it.each([
  { typed: 'debgu', meant: 'debug' },
  { typed: 'DEBUG', meant: 'debug' },
  { typed: 'detct', meant: 'debug detect' },
  { typed: 'protocol', meant: 'debug protocol' },
  { typed: 'xyzzy', meant: undefined },
  { typed: '', meant: undefined },
])('suggests $meant for "$typed"', ({ typed, meant }) => {
  expect(suggestCommand(typed, PATHS)).toBe(meant);
});
