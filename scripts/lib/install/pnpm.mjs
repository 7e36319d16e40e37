import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { capture } from '../run.mjs';

/**
 * The version that package.json pins, so that every machine reads the lockfile with the same pnpm.
 *
 * @param {string} packageManager such as `pnpm@10.34.8`, with or without `+sha512.…`
 */
export function pinnedPnpm(packageManager) {
  const version = /^pnpm@(\d+\.\d+\.\d+)(\+|$)/.exec(packageManager)?.[1];
  if (version === undefined) throw new Error(`package.json: packageManager is not a pnpm version: ${packageManager}`);
  return version;
}

/**
 * How to start the pinned pnpm: the one on the PATH if it is exactly that one, else through npm, which keeps it in its
 * own cache and installs nothing globally.
 *
 * @returns {Promise<{ version: string, file: string, args: string[] }>}
 */
export async function findPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'));
  const version = pinnedPnpm(packageManager);
  if ((await versionOnPath()) === version) return { version, file: 'pnpm', args: [] };
  const [file, ...args] = npm();
  // An exact version never changes, so what npm has in its cache need not be asked for again.
  return {
    version,
    file,
    args: [...args, 'exec', '--yes', '--prefer-offline', `--package=pnpm@${version}`, '--', 'pnpm'],
  };
}

async function versionOnPath() {
  try {
    const { code, output } = await capture('pnpm', ['--version'], { cwd: repoRoot });
    return code === 0 ? output.trim() : undefined;
  } catch {
    return undefined; // none; or on Windows a pnpm.cmd, which only a shell could start
  }
}

/**
 * The npm that is running us, else the one beside node, as Windows has it, else the one on the PATH.
 *
 * @returns {[string, ...string[]]}
 */
export function npm() {
  const running = process.env.npm_execpath ?? '';
  const besideNode = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  if (/npm-cli\.[cm]?js$/.test(running)) return [process.execPath, running];
  return existsSync(besideNode) ? [process.execPath, besideNode] : ['npm'];
}
