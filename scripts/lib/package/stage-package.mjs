import { cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { describeInside, describePackage, listRooms } from './describe-package.mjs';

/** What stands beside the packages and is found from there by its place in the checkout. */
const SHARED = ['workflows', 'plugins', 'README.md', 'LICENSE'];

/** Only tests and editors read these. */
const LEFT_OUT = /(^|[\\/])(__tests__|testing|fixtures|node_modules)([\\/]|$)|\.d\.ts$|\.map$|\.tsbuildinfo$/;

/**
 * Writes the package that users install into a folder: the checkout in small, with our packages where Node looks for
 * them. `npm pack` there makes the file.
 *
 * @param {string} folder is emptied
 */
export function stagePackage(folder) {
  const rooms = listRooms();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = describePackage(rooms);
  writeManifest(folder, manifest);
  for (const name of SHARED) copy(name, join(folder, name));
  for (const { folder: room, manifest: own } of rooms) {
    const target = join(folder, room === 'packages/cli' ? room : join('node_modules', own.name));
    mkdirSync(target, { recursive: true });
    writeManifest(target, describeInside(own));
    for (const name of own.files ?? []) copy(join(room, name), join(target, basename(name)));
  }
  return manifest;
}

/**
 * @param {string} from relative to the root of the checkout
 * @param {string} to
 */
function copy(from, to) {
  const source = join(repoRoot, from);
  if (LEFT_OUT.test(from)) return;
  if (!existsSync(source)) throw new Error(`${from} is missing: build first (\`pnpm build\`)`);
  const isWanted = (/** @type {string} */ path) => !LEFT_OUT.test(path.slice(repoRoot.length)) && !isOldPart(path);
  cpSync(source, to, { recursive: true, filter: isWanted });
}

/**
 * A bundle keeps parts of the one before it, for processes that were started from that. All parts of one are of one time.
 *
 * @param {string} path
 */
function isOldPart(path) {
  if (!BUNDLED.test(path)) return false;
  return statSync(path).mtimeMs < statSync(join(dirname(path), 'main.mjs')).mtimeMs;
}

const BUNDLED = /[\\/]dist[\\/](?:hook-)?bundle[\\/][^\\/]+$/;

/**
 * @param {string} folder
 * @param {object} manifest
 */
const writeManifest = (folder, manifest) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
