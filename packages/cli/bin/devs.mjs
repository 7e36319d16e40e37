#!/usr/bin/env node
// Committed, unlike dist/: a `bin` that points into an unbuilt dist/ would not be linked by the first install.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { keepCompiled } from './compile-cache.mjs';
import { nodeProblem } from './node-version.mjs';

const beside = (/** @type {string} */ path) => new URL(path, import.meta.url);
const prepareCheckout = beside('../../../scripts/lib/prepare.mjs');
const isCheckout = existsSync(prepareCheckout); // a published package has its dependencies elsewhere and is always built
const dependencies = beside('../node_modules');
const PACKAGES = [
  ...[
    'api',
    'builtin-agent',
    'cli',
    'core',
    'drivers',
    'fleet',
    'mcp',
    'model',
    'server',
    'store',
    'supervisor',
    'terminals',
    'worktree',
  ],
];

/** An agent waits for its hook, so a hook loads only what it needs, and never sets up a checkout. */
const isLaunched = process.argv.length === 5 && process.argv[4] === '--launched';
const isHook =
  process.argv[2] === 'hook' && (process.argv.length === 4 || isLaunched) && !process.argv[3]?.startsWith('-');
/** Often called, by people and by agents that wait for it: it does without the other commands. */
const isHandoff = process.argv[2] === 'handoff';
/** The process that supervises for the user. */
const isSupervisor = process.argv[2] === '--supervise' && process.argv.length === 3;

/** Needs nothing that has to be loaded, installed or built. */
const isVersion = process.argv.length === 3 && ['-V', '--version'].includes(process.argv[2] ?? '');

if (isVersion) sayVersion();
else {
  const compiled = keepCompiled(process);
  if (isHook) await startHook(compiled);
  else if (isHandoff) await startHandoff(compiled);
  else await (isSupervisor ? start('supervise/main', 'supervise-main') : start('main', 'main'));
}

function sayVersion() {
  const { version } = JSON.parse(readFileSync(beside('../package.json'), 'utf8'));
  process.stdout.write(`${version}\n`);
}

/**
 * If anything is missing here, the calling agent continues as if there were no hook.
 *
 * @param {string | undefined} compiled
 */
async function startHook(compiled) {
  try {
    const bundle = beside('../dist/hook-bundle/main.cjs');
    const isUsed = isNewest(bundle, ['cli', 'core', 'drivers', 'store', 'worktree', 'mcp']);
    const loader = await openLoader(compiled);
    const { hook } = isUsed ? loader.load(fileURLToPath(bundle)) : await import(beside('../dist/hook/main.js').href);
    await hook(process.argv[3], process, { isLaunched, startedAt: 0 });
    loader.keep();
  } catch {}
}

/** @param {string | undefined} compiled */
async function openLoader(compiled) {
  const { createLoader } = await import('./load-compiled.mjs');
  return createLoader(compiled);
}

/**
 * Anything unusual, such as an old Node or a checkout that is not built, is left to the program with all commands.
 *
 * @param {string | undefined} compiled
 */
async function startHandoff(compiled) {
  const bundle = beside('../dist/handoff-bundle/main.cjs');
  const isUsed = nodeProblem(process.versions.node) === undefined && (!isCheckout || existsSync(dependencies));
  if (!isUsed || !isNewest(bundle, ['cli', 'core', 'drivers', 'store', 'worktree'])) return start('main', 'main');
  const loader = await openLoader(compiled);
  const { handoff } = loader.load(fileURLToPath(bundle));
  await handoff(process);
  loader.keep();
}

/**
 * The same in fewer files, which load faster; in a checkout it may be older than what it was made of.
 *
 * @param {URL} bundle
 * @param {string[]} packages that are in it
 */
function isNewest(bundle, packages) {
  const made = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs;
  const built = packages.map((name) => statSync(beside(`../../${name}/dist/.tsbuildinfo`), { throwIfNoEntry: false }));
  const ifUnknown = isCheckout ? Number.POSITIVE_INFINITY : 0; // half of a checkout may be gone; a published package is whole
  return made !== undefined && built.every((file) => (file?.mtimeMs ?? ifUnknown) < made);
}

/**
 * @param {string} program in `dist/`
 * @param {string} bundled the same in `dist/bundle/`
 */
async function start(program, bundled) {
  const main = beside(`../dist/${program}.js`);
  const bundle = beside(`../dist/bundle/${bundled}.mjs`);
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) return giveUp(problem);

  if (isCheckout && !(existsSync(main) && existsSync(dependencies))) {
    const { prepare } = await import(prepareCheckout.href);
    const exitCode = await prepare();
    if (exitCode !== 0) {
      process.exitCode = exitCode;
      return;
    }
  }
  if (!existsSync(main)) return giveUp(`not built: ${fileURLToPath(main)} is missing. Install the package again.`);
  try {
    await import((isNewest(bundle, PACKAGES) ? bundle : main).href);
  } catch (error) {
    // Half of a checkout may be gone, such as another package's dist/: prepare it whole, once.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isCheckout || !isMissing) throw error;
    const { prepare } = await import(prepareCheckout.href);
    process.exitCode = await prepare();
    if (process.exitCode === 0) await import(`${main.href}?prepared`);
  }
}

/** @param {string} message */
function giveUp(message) {
  process.stderr.write(`devs: ${message}\n`);
  process.exitCode = 1;
}
