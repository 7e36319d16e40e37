import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';

/** Every page of documentation: the README, and those below docs/, packages/, plugins/, examples/ and bench/. */
export function listPages() {
  const below = ['docs', 'packages', 'plugins', 'examples', 'bench'].flatMap((folder) =>
    pagesBelow(join(repoRoot, folder)),
  );
  return [join(repoRoot, 'README.md'), ...below];
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function pagesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', 'src'].includes(entry.name) ? [] : pagesBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
