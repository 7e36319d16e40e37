import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { toolPath } from '../tools.mjs';

/** Inside node_modules, so that deleting that folder deletes the stamp with it. */
const STAMP = join(repoRoot, 'node_modules', '.devs-installed');

/**
 * One short string for everything that decides what an install puts where. Pure.
 *
 * @param {{ files: Readonly<Record<string, string>>, node: string, platform: string, arch: string }} facts
 *   `files` are the texts of the lockfile and of every package.json, by path; `node` is a version such as `20.19.0`
 */
export function stampKey({ files, node, platform, arch }) {
  const hash = createHash('sha256');
  for (const path of Object.keys(files).sort()) hash.update(`${path}\0${files[path]}\0`);
  return `${hash.digest('hex')} node${node.split('.')[0]} ${platform}-${arch}`;
}

/** Whether the last finished install is still right for what the lockfile and the package.json files say now. */
export function isInstalled() {
  return [STAMP, ...installedFiles()].every((path) => existsSync(path)) && readFileSync(STAMP, 'utf8') === currentKey();
}

/** Taken away before an install starts: an interrupted one must not look finished. */
export const removeStamp = () => rmSync(STAMP, { force: true });

export const writeStamp = () => writeFileSync(STAMP, currentKey());

/** A stamp cannot know whether the packages were removed since. */
const installedFiles = () => [
  join(repoRoot, 'node_modules', '.pnpm', 'lock.yaml'),
  toolPath('tsc'),
  ...packageFolders()
    .filter((folder) => folder !== '.')
    .map((folder) => join(repoRoot, folder, 'node_modules')),
];

function currentKey() {
  const paths = [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...packageFolders().map((folder) => `${folder}/package.json`),
  ];
  return stampKey({
    files: Object.fromEntries(paths.map((path) => [path, readFileSync(join(repoRoot, path), 'utf8')])),
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
  });
}

/** The folders of pnpm-workspace.yaml, found without a YAML parser because nothing is installed yet. */
function packageFolders() {
  const rooms = readdirSync(join(repoRoot, 'packages')).map((name) => `packages/${name}`);
  return ['.', 'bench', 'examples', 'scripts', ...rooms].filter((folder) =>
    existsSync(join(repoRoot, folder, 'package.json')),
  );
}
