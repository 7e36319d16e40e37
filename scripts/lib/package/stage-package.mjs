import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { describeInside, describePackage, filesByImport, listRooms } from './describe-package.mjs';
import { linkImports } from './link-imports.mjs';

/** What stands beside the packages and is found from there by its place in the checkout. */
const SHARED = ['workflows', 'plugins', 'packages/dashboard/dist/page', 'README.md', 'LICENSE'];

/** Only tests and editors read these; the types of core are for programs that use devs as a library. */
const LEFT_OUT =
  /(^|[\\/])(__tests__|testing|fixtures|node_modules)([\\/]|$)|(?<![\\/]core[\\/]dist[\\/].*)\.d\.ts$|\.map$|\.tsbuildinfo$/;

/**
 * Writes the package that users install into a folder: the checkout in small. `npm pack` there makes the file.
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
    mkdirSync(join(folder, room), { recursive: true });
    writeManifest(join(folder, room), describeInside(own));
    for (const name of own.files ?? []) copy(join(room, name), join(folder, room, basename(name)));
  }
  linkFiles(folder, filesByImport(rooms));
  return manifest;
}

/**
 * Without a node_modules of ours, a file finds another package's by the way to it.
 *
 * @param {string} folder
 * @param {Map<string, string>} files
 */
function linkFiles(folder, files) {
  const programs = readdirSync(join(folder, 'packages'), { recursive: true, encoding: 'utf8' });
  for (const path of programs.filter((name) => /\.(js|mjs|cjs|d\.ts)$/.test(name))) {
    const file = join('packages', path);
    const text = readFileSync(join(folder, file), 'utf8');
    const linked = linkImports(text, file.replaceAll('\\', '/'), files);
    if (linked !== text) writeFileSync(join(folder, file), linked);
  }
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
  const main = ['main.mjs', 'main.cjs'].map((name) => statSync(join(dirname(path), name), { throwIfNoEntry: false }));
  return statSync(path).mtimeMs < Math.max(...main.map((found) => found?.mtimeMs ?? 0));
}

const BUNDLED = /[\\/]dist[\\/](?:(?:hook|handoff)-)?bundle[\\/][^\\/]+$/;

/**
 * @param {string} folder
 * @param {object} manifest
 */
const writeManifest = (folder, manifest) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
