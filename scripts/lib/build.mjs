import { bundleCli } from './bundle/bundle-cli.mjs';
import { bundleHandoff } from './bundle/bundle-handoff.mjs';
import { bundleHook } from './bundle/bundle-hook.mjs';
import { bundlePage } from './bundle/bundle-page.mjs';
import { repoRoot } from './paths.mjs';
import { capture } from './run.mjs';
import { say, seconds } from './say.mjs';
import { toolPath } from './tools.mjs';

/** A build that had nothing to do is over sooner than this, and not worth a line. */
const QUIET_MS = 600;

/**
 * Builds a folder and what it refers to; `tsc -b` skips what did not change.
 *
 * @param {string} folder
 * @returns {Promise<number>} exit code
 */
export async function build(folder = repoRoot) {
  const startedAt = performance.now();
  const { code, output } = await capture(process.execPath, [toolPath('tsc'), '-b'], { cwd: folder });
  process.stderr.write(output);
  if (code !== 0) {
    say('the build failed; the lines above say where.');
    return code;
  }
  for (const problem of [await bundleHook(), await bundleHandoff(), await bundleCli(), await bundlePage()])
    if (problem !== undefined) say(problem);
  if (performance.now() - startedAt > QUIET_MS) say(`built in ${seconds(startedAt)}`);
  return code;
}
