#!/usr/bin/env node
// Committed, unlike dist/: a `bin` that points into an unbuilt dist/ would not be linked by the first install.
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from './node-version.mjs';

const main = new URL('../dist/main.js', import.meta.url);
const hookMain = new URL('../dist/hook/main.js', import.meta.url);
const hookBundle = new URL('../dist/hook-bundle/main.mjs', import.meta.url);
const prepareCheckout = new URL('../../../scripts/lib/prepare.mjs', import.meta.url);
const dependencies = new URL('../node_modules', import.meta.url);

/** An agent waits for its hook: that loads only what it needs, and never sets up a checkout. */
const isLaunched = process.argv.length === 5 && process.argv[4] === '--launched';
const isHook =
  process.argv[2] === 'hook' && (process.argv.length === 4 || isLaunched) && !process.argv[3]?.startsWith('-');

await (isHook ? startHook() : start());

/** Whatever is missing here, the agent that called goes on as if there were no hook. */
async function startHook() {
  try {
    const { hook } = await import((isNewest(hookBundle) ? hookBundle : hookMain).href);
    await hook(process.argv[3], process, { isLaunched });
  } catch {}
}

/**
 * The same in fewer files, which load faster; in a checkout it may be older than what it was made of.
 *
 * @param {URL} bundle
 */
function isNewest(bundle) {
  const made = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs;
  const built = ['cli', 'core', 'agents', 'store'].map(
    (name) => new URL(`../../${name}/dist/.tsbuildinfo`, import.meta.url),
  );
  return made !== undefined && built.every((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < made);
}

async function start() {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) return giveUp(problem);

  // Only a checkout has scripts/; a published package has its dependencies elsewhere and is always built.
  const isCheckout = existsSync(prepareCheckout);
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
    await import(main.href);
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
