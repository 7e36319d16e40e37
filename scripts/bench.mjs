// `pnpm bench [name…] [folder]`: each bench/*.ts in a process of its own, so that none inherits another's heap. Helpers are in
// bench/lib/.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from './lib/build.mjs';
import { repoRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { say } from './lib/say.mjs';

process.exitCode = await main();

async function main() {
  const folder = join(repoRoot, 'bench');
  const names = readdirSync(folder).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? []);
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const folders = args.filter((arg) => /[/\\]/.test(arg)).map((arg) => resolve(arg));
  const wanted = args.filter((arg) => !/[/\\]/.test(arg));
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    say(`no bench is called ${unknown.join(', ')}; there are: ${names.join(', ')}`);
    return 2;
  }
  let exitCode = await build(folder);
  if (exitCode !== 0) return exitCode;
  for (const name of wanted.length > 0 ? wanted : names) {
    exitCode ||= await run(process.execPath, ['--expose-gc', join(folder, 'dist', `${name}.js`), ...folders], {
      cwd: repoRoot,
    });
  }
  return exitCode;
}
