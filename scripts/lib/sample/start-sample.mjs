import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { capture, run } from '../run.mjs';
import { say } from '../say.mjs';
import { makeSample, SAMPLE_MODEL, SAMPLE_REQUEST, sampleEnvironment } from './make-sample.mjs';

const KEEP = '--keep';
const UI = '--ui';
const DEVS = join(repoRoot, 'packages/cli/bin/devs.mjs');

const WHAT_NEXT = [
  'what next:',
  '  npm start -- --ui        the same run in a browser, kept until Ctrl-C',
  '  npm start -- --keep      keeps the sample project to look at',
  '  npm run pack:all && npm install --global ./out/package/devs-*.tgz',
  '                           installs devs; then, in a project of yours: devs init, devs run "…", devs ui',
];

/**
 * `npm start`: the workflow `feature` from its first step to its last on a small project, unattended, without a network
 * and without a key: the built-in agent, and a model that answers by a script.
 *
 * @param {string[]} args `--keep` leaves the project, `--ui` serves the page until Ctrl-C; all others are for `devs run`
 * @returns {Promise<number>} exit code
 */
export async function startSample(args) {
  if ((await capture('git', ['--version']).catch(() => undefined))?.code !== 0) {
    say(
      'git is needed for the sample: each run has a branch of its own. Install git, then run the same command again.',
    );
    say('`npx devs debug protocol` shows a part of it without git.');
    return 1;
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-sample-')));
  const given = args.filter((arg) => arg !== KEEP && arg !== UI);
  const exitCode = args.includes(UI)
    ? await withPage(folder, () => runSample(folder, given))
    : await runSample(folder, given);
  if (exitCode === 0 && !args.includes(KEEP)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  else say(`the project is kept: ${join(folder, 'durations')}`);
  return exitCode;
}

/**
 * Serves the page while the sample runs, and keeps it for looking at until Ctrl-C.
 *
 * @param {string} folder
 * @param {() => Promise<number>} work
 */
async function withPage(folder, work) {
  const where = { cwd: folder, env: sampleEnvironment(folder) };
  const devs = (/** @type {string[]} */ ...asked) => run(process.execPath, [DEVS, ...asked], where);
  const ended = new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  const staying = setInterval(() => {}, 60_000); // listening to a signal keeps no process alive
  try {
    if ((await devs('up')) !== 0 || (await devs('ui')) !== 0) return 1;
    const exitCode = await work();
    await devs('ui', '--print');
    say('the page stays until Ctrl-C.');
    await ended;
    return exitCode;
  } finally {
    clearInterval(staying);
    await devs('down');
  }
}

/**
 * @param {string} folder
 * @param {string[]} args
 */
async function runSample(folder, args) {
  const project = await makeSample(folder);
  const where = { cwd: project, env: sampleEnvironment(folder) };
  const devs = (/** @type {string[]} */ ...asked) => run(process.execPath, [DEVS, ...asked], where);
  say(`a sample project in ${project}; a model that answers by a script; no network, no key.`);
  say(`devs run --merge ${SAMPLE_MODEL.join(' ')} feature "${SAMPLE_REQUEST}"`);

  const exitCode = await devs('run', '--merge', ...SAMPLE_MODEL, ...args, 'feature', SAMPLE_REQUEST);
  if (exitCode !== 0) return exitCode;
  say('the tests of the project, after the merge:');
  const files = readdirSync(join(project, 'test')).map((name) => join('test', name));
  const tests = await run(process.execPath, ['--test', '--test-reporter=spec', ...files], where);
  if (tests !== 0) return tests;
  say('devs report');
  const reported = await devs('report');
  for (const line of WHAT_NEXT) say(line);
  return reported;
}
