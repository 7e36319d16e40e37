import { readdirSync } from 'node:fs';

/** Where tests live, from the root of the checkout: in every package, and those of the house itself. One set of workers runs all of them. */
export const TEST_FILES = ['packages/*/src/**/__tests__/**/*.test.ts', 'scripts/__tests__/**/*.test.ts'];

/**
 * The test files in a folder, as vitest finds them, relative to it and with forward slashes.
 *
 * @param {string} folder
 */
export const listTestFiles = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(^|\/)__tests__\/.*\.test\.ts$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .sort();
