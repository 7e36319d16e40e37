import { repoRoot } from '../paths.mjs';
import { capture } from '../run.mjs';
import { say, seconds } from '../say.mjs';
import { explainInstallFailure } from './explain-install-failure.mjs';
import { isInstalled, removeStamp, writeStamp } from './install-stamp.mjs';
import { findPnpm } from './pnpm.mjs';

const PROGRESS_EVERY_MS = 5_000;
/** The exit codes of SIGHUP, SIGINT and SIGTERM. npm has others above 128, for errors. */
const INTERRUPTED = [129, 130, 143];

/**
 * Installs the packages of the lockfile, unless they are installed.
 *
 * @returns {Promise<number>} exit code
 */
export async function install() {
  if (isInstalled()) return 0;
  const startedAt = performance.now();
  let output = '';
  try {
    removeStamp();
    const pnpm = await findPnpm();
    say(`installing packages with pnpm ${pnpm.version} …`);
    const result = await runPnpmInstall(pnpm);
    output = result.output;
    if (INTERRUPTED.includes(result.code)) {
      say('interrupted; run the same command again to finish.');
      return result.code;
    }
    if (result.code === 0) {
      writeStamp();
      say(`installed in ${seconds(startedAt)}`);
      return 0;
    }
  } catch (error) {
    output += String(error);
  }
  process.stderr.write(`${output}\n`);
  say(explainInstallFailure(output));
  return 1;
}

/** @param {Awaited<ReturnType<typeof findPnpm>>} pnpm */
async function runPnpmInstall({ file, args }) {
  let lastLine = '';
  const ticking = setInterval(() => say(lastLine || 'still installing …'), PROGRESS_EVERY_MS);
  try {
    return await capture(file, [...args, 'install', '--frozen-lockfile', '--prod=false', '--reporter=append-only'], {
      cwd: repoRoot,
      onText: (text) => {
        lastLine = text.trimEnd().split('\n').at(-1) ?? '';
      },
    });
  } finally {
    clearInterval(ticking);
  }
}
