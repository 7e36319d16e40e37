import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where tests live, from the root of the checkout: in every package, and those of the house itself. One set of workers runs all of them. */
export const TEST_FILES = [
  'packages/*/src/**/__tests__/**/*.test.ts',
  'examples/*/__tests__/**/*.test.ts',
  'scripts/__tests__/**/*.test.ts',
];

/** Have no tests of ours, and more files than all other folders together. */
const PASSED_BY = ['node_modules', 'dist', '.git', 'coverage'];

/**
 * The test files in a folder, as vitest finds them, relative to it and with forward slashes.
 *
 * @param {string} folder
 */
export const listTestFiles = (folder) =>
  filesBelow(folder)
    .filter((path) => /(^|\/)__tests__\/.*\.test\.ts$/.test(path))
    .sort();

/**
 * @param {string} folder
 * @param {string} [prefix] of the paths
 * @returns {string[]}
 */
function filesBelow(folder, prefix = '') {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = prefix + entry.name;
    if (!entry.isDirectory()) return [path];
    return PASSED_BY.includes(entry.name) ? [] : filesBelow(join(folder, entry.name), `${path}/`);
  });
}
