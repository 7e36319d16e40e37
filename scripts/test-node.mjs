// `pnpm test:node`: the unit tests with a newer Node from the package registry.
//
// node scripts/test-node.mjs [arguments of the test script]
import { join } from 'node:path';
import { installProgram, NEWER_NODE } from './lib/install/programs.mjs';
import { repoRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { say } from './lib/say.mjs';

process.exitCode = await main();

async function main() {
  const node = await installProgram(NEWER_NODE);
  if (node === undefined) {
    say(`not tested: Node ${NEWER_NODE.version} is not installed and could not be.`);
    return 0;
  }
  say(`the unit tests with Node ${NEWER_NODE.version}`);
  const args = [join(repoRoot, 'scripts', 'run-tests.mjs'), ...process.argv.slice(2)];
  return run(node, args, { cwd: join(repoRoot, 'packages', 'core') });
}
