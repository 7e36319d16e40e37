// Writes the JSON Schemas that are published from the schemas in the code: `pnpm schemas`. A test compares the two.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './lib/build.mjs';
import { repoRoot } from './lib/paths.mjs';
import { say } from './lib/say.mjs';

process.exitCode = (await build(repoRoot)) || (await write());

async function write() {
  const core = await import(pathToFileURL(join(repoRoot, 'packages/core/dist/index.js')).href);
  const file = join(repoRoot, 'packages/core/schemas/supervisor-state.schema.json');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(core.supervisorStateJsonSchema(), null, 2)}\n`);
  say(`wrote ${file}`);
  return 0;
}
