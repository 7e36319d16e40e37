// `pnpm examples`: runs every examples/*/main.ts; each one checks itself.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { repoRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { say } from './lib/say.mjs';

process.exitCode = await main();

async function main() {
  const folder = join(repoRoot, 'examples');
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'main.ts')));
  const exitCode = await build(folder);
  if (exitCode !== 0) return exitCode;
  const failed = [];
  for (const name of names) {
    say(`example ${name}`);
    if ((await run(process.execPath, [join(folder, 'dist', name, 'main.js')], { cwd: repoRoot })) !== 0)
      failed.push(name);
  }
  say(failed.length > 0 ? `failed: ${failed.join(', ')}` : `examples that ran and hold: ${names.length}`);
  return failed.length === 0 ? 0 : 1;
}
