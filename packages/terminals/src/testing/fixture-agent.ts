import { fileURLToPath } from 'node:url';
import type { InputPatterns } from '@devs/core';

/**
 * Small real programs, each with one behaviour of an agent CLI. Those with a prompt write it to `FIXTURE_TRANSCRIPT`.
 */
export const FIXTURE_AGENTS = [
  'answers',
  'asks-the-terminal',
  'crashes',
  'forks-children',
  'ignores-sigterm',
  'mentions-auto-compact',
  'never-answers',
  'prints-a-lot',
  'shows-a-dialog',
  'swallows-enter',
] as const;
export type FixtureAgent = (typeof FIXTURE_AGENTS)[number];

/** How to start one; the arguments are described in its file. */
export const fixtureAgent = (name: FixtureAgent, ...args: readonly (string | number)[]) => ({
  file: process.execPath,
  args: [fileURLToPath(new URL(`../../fixtures/${name}.mjs`, import.meta.url)), ...args.map(String)],
});

/** How to find their input. */
export const FIXTURE_INPUT: InputPatterns = { prompt: /^> /, dialog: /^❯ 1\. / };
