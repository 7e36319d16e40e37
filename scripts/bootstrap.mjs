// Makes a fresh clone run: checks Node, installs from the lockfile, builds, then does what was asked for.
//
//   node scripts/bootstrap.mjs start [args…] | test [args…] | install | postinstall
//
// Nothing here may need an installed package.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from './lib/paths.mjs';
import { prepare, prepareToBuild } from './lib/prepare.mjs';
import { run } from './lib/run.mjs';
import { startSample } from './lib/sample/start-sample.mjs';
import { say } from './lib/say.mjs';

/** @type {Record<string, (args: string[]) => Promise<number>>} */
const commands = {
  start: async (args) => (await prepare()) || startSample(args),
  // run-tests builds by itself, because it is also the test script of every package.
  test: async (args) => (await prepareToBuild()) || runNode('scripts/run-tests.mjs', args),
  install: async () => (await prepare()) || sayReady(),
  postinstall: () =>
    afterInstaller({ userAgent: process.env.npm_config_user_agent, npmCommand: process.env.npm_command }),
};

const [name = '', ...args] = process.argv.slice(2);
process.exitCode = await (commands[name] ?? unknownCommand)(args);

/**
 * The root package.json calls this after any installer.
 *
 * - pnpm has done everything itself.
 * - `npx devs` has linked the checkout, and hides what we print; the launcher it starts next prepares in the open.
 * - `npm install`, of habit, has found no dependencies at the root and has written a lockfile of its own, which would
 *   mislead the next reader.
 *
 * @param {{ userAgent: string | undefined, npmCommand: string | undefined }} installer
 *   `userAgent` is such as `npm/10.8.2 node/v20.19.0 linux x64`
 */
async function afterInstaller({ userAgent = '', npmCommand }) {
  if (userAgent.startsWith('pnpm/') || npmCommand === 'exec') return 0;
  if (userAgent.startsWith('npm/')) rmSync(join(repoRoot, 'package-lock.json'), { force: true });
  return (await prepare()) || sayReady();
}

function sayReady() {
  say('ready. `npm start` shows it at work, `npm test` runs the tests, `npx devs --help` lists the commands.');
  return 0;
}

async function unknownCommand() {
  say(`unknown command "${name}"; there are: ${Object.keys(commands).join(', ')}`);
  return 2;
}

/**
 * @param {string} script
 * @param {readonly string[]} scriptArgs
 */
function runNode(script, scriptArgs) {
  return run(process.execPath, [join(repoRoot, script), ...scriptArgs], { cwd: repoRoot });
}
