// `pnpm pack:all`: the one file that users install, `out/package/devs-<version>.tgz`.
//
//   node scripts/pack.mjs [folder]
//
//   npm install ./out/package/devs-0.1.0.tgz && npx devs
//
// The root cannot be packed itself: it has no dependencies, and `workspace:` means nothing to npm.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packInto } from './lib/package/pack-into.mjs';
import { repoRoot } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { say } from './lib/say.mjs';

process.exitCode = await main();

async function main() {
  const exitCode = await prepare();
  if (exitCode !== 0) return exitCode;
  const folder = resolve(process.argv[2] ?? join(repoRoot, 'out', 'package'));
  rmSync(join(folder, 'staged'), { recursive: true, force: true });
  const file = await packInto(folder);
  if (file === undefined) return 1;
  process.stdout.write(`${file}\n`);
  say(`packed. In any project: npm install ${file} && npx devs --help`);
  return 0;
}
