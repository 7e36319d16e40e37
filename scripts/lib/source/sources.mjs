import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';

/**
 * The source files of the workspace with their texts, tests included, generated ones not.
 *
 * @param {readonly string[]} [folders] relative to the root of the checkout
 * @returns {{ path: string, text: string }[]} `path` is relative to the root, with forward slashes
 */
export const readSources = (folders = ['packages', 'bench', 'examples', 'scripts']) =>
  folders
    .filter((folder) => existsSync(join(repoRoot, folder)))
    .flatMap((folder) => listFiles(folder))
    .filter((path) => /\.(ts|tsx|mts|mjs)$/.test(path) && !path.endsWith('.d.ts'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(repoRoot, path), 'utf8') }));

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(folder) {
  return readdirSync(join(repoRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return ['node_modules', 'dist', 'coverage'].includes(entry.name) ? [] : listFiles(path);
  });
}
