import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';

/**
 * Where tests live: every package, and `repo` for the house itself.
 *
 * @returns {{ name: string, folder: string, include: string[] }[]} `folder` is relative to the root of the checkout
 */
export function testProjects() {
  const packages = readdirSync(join(repoRoot, 'packages')).filter((name) =>
    existsSync(join(repoRoot, 'packages', name, 'package.json')),
  );
  return [
    ...packages.map((name) => ({ name, folder: `packages/${name}`, include: ['src/**/__tests__/**/*.test.ts'] })),
    { name: 'repo', folder: 'scripts', include: ['__tests__/**/*.test.ts'] },
  ];
}

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
