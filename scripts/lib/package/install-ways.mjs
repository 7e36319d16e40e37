import { join } from 'node:path';

/** @typedef {[string, ...string[]]} CommandLine */
/**
 * @typedef {object} InstallWay
 * @property {string} name for people
 * @property {string} cwd
 * @property {object} manifest the package.json of the project there
 * @property {CommandLine[]} install
 * @property {CommandLine} start what stands before the arguments of devs
 */

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Other major versions of what devs itself uses: each side has to get its own. */
const OLD = { zod: '3.25.76', yaml: '1.10.3', commander: '9.5.0' };
const PROJECT = { name: 'a-project', private: true };
const PROJECT_WITH_OLD = { ...PROJECT, dependencies: OLD };

/** Exact, as all tools here: a newer one is tried by changing this line. */
const NPM_10 = 'npm@10.9.9';
const PNPM = 'pnpm@10.34.8';
const YARN_CLASSIC = 'yarn@1.22.22';
const YARN_BERRY = '@yarnpkg/cli-dist@4.18.1';

/**
 * Every way to install the packed file that people use.
 *
 * @param {{ file: string, folder: string, npm: CommandLine }} place
 * @returns {InstallWay[]}
 */
export function installWays({ file, folder, npm }) {
  const global = join(folder, 'global');
  const global10 = join(folder, 'global-10');
  const at = (/** @type {string} */ name) => join(folder, name);
  const npx = (/** @type {string} */ name, /** @type {string} */ program) =>
    /** @type {CommandLine} */ ([...npm, 'exec', '--yes', '--loglevel=error', `--package=${name}`, '--', program]);
  const bin = (/** @type {string} */ project) => /** @type {CommandLine} */ ([join(project, 'node_modules/.bin/devs')]);
  return [
    {
      name: 'npm install --global',
      cwd: at('elsewhere'),
      manifest: PROJECT,
      install: [[...npm, 'install', '--global', '--prefix', global, ...QUIET, file]],
      start: [join(global, 'bin', 'devs')],
    },
    {
      name: 'npm 10 install --global',
      cwd: at('elsewhere-10'),
      manifest: PROJECT,
      install: [[...npx(NPM_10, 'npm'), 'install', '--global', '--prefix', global10, ...QUIET, file]],
      start: [join(global10, 'bin', 'devs')],
    },
    {
      name: 'npm install --save-dev, beside zod 3, yaml 1 and commander 9',
      cwd: at('development'),
      manifest: PROJECT_WITH_OLD,
      install: [[...npm, 'install', '--save-dev', ...QUIET, file]],
      start: [...npm, 'exec', '--offline', '--loglevel=error', '--', 'devs'],
    },
    {
      name: 'npx --package',
      cwd: at('nothing-installed'),
      manifest: PROJECT,
      install: [],
      start: npx(file, 'devs'),
    },
    {
      name: 'pnpm add',
      cwd: at('pnpm'),
      manifest: PROJECT_WITH_OLD,
      install: [[...npx(PNPM, 'pnpm'), 'add', '--save-dev', '--silent', file]],
      start: bin(at('pnpm')),
    },
    {
      name: 'yarn 1 add',
      cwd: at('yarn-1'),
      manifest: PROJECT_WITH_OLD,
      install: [[...npx(YARN_CLASSIC, 'yarn'), 'add', '--dev', '--silent', file]],
      start: bin(at('yarn-1')),
    },
    {
      name: 'yarn 4 add, without node_modules',
      cwd: at('yarn-4'),
      manifest: PROJECT_WITH_OLD,
      install: [[...npx(YARN_BERRY, 'yarn'), 'add', '--dev', `devs@file:${file}`]],
      start: [...npx(YARN_BERRY, 'yarn'), 'devs'],
    },
  ];
}
