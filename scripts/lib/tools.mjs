import { join } from 'node:path';
import { repoRoot } from './paths.mjs';

/** The programs behind the root commands, as files for `node`: no shell, and no `.cmd` shims on Windows. */
const TOOLS = {
  biome: '@biomejs/biome/bin/biome',
  knip: 'knip/bin/knip.js',
  tsc: 'typescript/bin/tsc',
};

/** @param {keyof typeof TOOLS} name */
export const toolPath = (name) => join(repoRoot, 'scripts', 'node_modules', ...TOOLS[name].split('/'));
