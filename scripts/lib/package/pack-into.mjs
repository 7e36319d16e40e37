import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../install/pnpm.mjs';
import { capture } from '../run.mjs';
import { say } from '../say.mjs';
import { stagePackage } from './stage-package.mjs';

/**
 * Packs what is built, without the network.
 *
 * @param {string} folder
 * @returns {Promise<string | undefined>} the file; `undefined` when npm refused, and it was said why
 */
export async function packInto(folder) {
  mkdirSync(folder, { recursive: true });
  const staged = join(folder, 'staged');
  const { name, version } = stagePackage(staged);
  const [file, ...args] = npm();
  const { code, output } = await capture(
    file,
    [...args, 'pack', '--ignore-scripts', '--pack-destination', folder, '--loglevel=error'],
    { cwd: staged },
  );
  rmSync(staged, { recursive: true, force: true });
  if (code === 0) return join(folder, `${name}-${version}.tgz`);
  say(`npm pack failed:\n${output.trim()}`);
  return undefined;
}
