import { existsSync, realpathSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeProject, type JsonObject } from '@devs/core';
import { readProjectFile } from '@devs/worktree/project-file';
import { CliError } from '../cli-error.js';
import { adviceForSystemError, refuseUnwritable } from '../files/system-error.js';
import type { SpecFiles } from '../run/agent-arguments.js';
import { findSpecFiles, projectTexts } from '../run/find-spec-files.js';
import { visible } from '../screen/visible.js';
import type { ProjectPaths } from '../store-access/create-records.js';
import type { Agreements } from '../trust/agreements.js';
import { agreeToMade } from '../trust/workflow-gate.js';

type Command = readonly string[];

/** The top folder of a project. */
interface TopFolder {
  has(name: string): boolean;
  /** `''` where it cannot be read. */
  read(name: string): string;
}

/**
 * The commands that most likely prepare and test a fresh checkout, judged by its files; and those that an agent needs for its work
 * here, which it would otherwise ask for.
 */
export function guessCommands(folder: TopFolder): Guess {
  const found = [node(folder), rust(folder), go(folder), python(folder)].filter((guess) => guess !== undefined);
  const guesses = found.length === 0 ? [makefile(folder)] : found;
  return {
    setup: guesses.flatMap(({ setup }) => setup),
    checks: guesses.flatMap(({ checks }) => checks),
    work: guesses.flatMap(({ work }) => work),
  };
}

interface Guess {
  readonly setup: readonly Command[];
  readonly checks: readonly Command[];
  /** Build, test and lint: nothing that fetches or publishes. */
  readonly work: readonly Command[];
}

function node({ has, read }: TopFolder): Guess | undefined {
  if (!has('package.json')) return undefined;
  const lock = LOCKS.find(({ file }) => has(file));
  const runner = lock?.runner ?? 'npm';
  const hasDependencies = /"(?:dev)?[dD]ependencies"\s*:\s*\{\s*"/.test(read('package.json'));
  const setup = lock?.install ?? (hasDependencies ? ['npm', 'install'] : undefined);
  const scripts = scriptsIn(read('package.json'));
  const isReal = typeof scripts.test === 'string' && !scripts.test.includes('no test specified');
  const checks = isReal ? [[runner, 'test']] : [];
  const others = WORK_SCRIPTS.filter((name) => typeof scripts[name] === 'string').map((name) => [runner, 'run', name]);
  return { setup: setup === undefined ? [] : [setup], checks, work: [...checks, ...others] };
}

const WORK_SCRIPTS = ['build', 'check', 'format', 'lint', 'typecheck'] as const;

const LOCKS = [
  { file: 'pnpm-lock.yaml', runner: 'pnpm', install: ['pnpm', 'install', '--frozen-lockfile'] },
  { file: 'yarn.lock', runner: 'yarn', install: ['yarn', 'install', '--frozen-lockfile'] },
  { file: 'bun.lock', runner: 'bun', install: ['bun', 'install', '--frozen-lockfile'] },
  { file: 'package-lock.json', runner: 'npm', install: ['npm', 'ci'] },
] as const;

function scriptsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const rust = ({ has }: TopFolder): Guess | undefined =>
  has('Cargo.toml')
    ? { setup: [], checks: [['cargo', 'test']], work: subCommands('cargo', 'build', 'check', 'clippy', 'fmt', 'test') }
    : undefined;

const go = ({ has }: TopFolder): Guess | undefined =>
  has('go.mod')
    ? { setup: [], checks: [['go', 'test', './...']], work: subCommands('go', 'build', 'fmt', 'test', 'vet') }
    : undefined;

const subCommands = (program: string, ...names: readonly string[]): readonly Command[] =>
  names.map((name) => [program, name]);

function python({ has, read }: TopFolder): Guess | undefined {
  if (!['pyproject.toml', 'setup.py', 'pytest.ini'].some(has)) return undefined;
  const isPytest = ['pytest.ini', 'conftest.py'].some(has) || PYTEST_IN.some((file) => read(file).includes('pytest'));
  const tests = isPytest ? ['pytest'] : has('tests') ? ['python3', '-m', 'unittest', 'discover', 'tests'] : [];
  const isUv = has('uv.lock'); // what it installs is not on the PATH
  const work = tests.length === 0 ? [] : [isUv ? ['uv', 'run', ...tests] : tests];
  return {
    setup: isUv ? [['uv', 'sync']] : [],
    checks: isPytest ? work.map((command) => [...command, '-q']) : work,
    work,
  };
}

/** Where a project names what its tests need; `tests` alone may be for the runner that comes with Python. */
const PYTEST_IN = ['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt'];

function makefile({ has, read }: TopFolder): Guess {
  const checks = has('Makefile') && /^test\s*:/m.test(read('Makefile')) ? [['make', 'test']] : [];
  return { setup: [], checks, work: checks };
}

interface ProjectFolderDeps {
  readonly here: () => Promise<ProjectPaths>;
  readonly loadStores: () => Promise<Pick<typeof import('@devs/store'), 'prepareProjectStore' | 'isGitPlace'>>;
  /** Whether anything is committed in this repository. */
  readonly hasCommit: (root: string) => Promise<boolean>;
  readonly agreements: Agreements;
}

/**
 * Files that git usually ignores and the work needs, including the user's permissions and instructions for this
 * project.
 */
const OWN_FILES = [
  '.env',
  '.env.local',
  '.env.development',
  '.env.test',
  '.claude/settings.local.json',
  'CLAUDE.local.md',
];

/** They change nothing but the branch of the worktree. */
const GIT_WORK = ['git status', 'git add', 'git commit'];

export function createProjectFolder({ here, loadStores, agreements, hasCommit }: ProjectFolderDeps): ProjectFolder {
  return {
    async look() {
      const { root } = await here();
      const isRepository = (await loadStores()).isGitPlace(root);
      const has = (name: string) => existsSync(join(root, name));
      const { setup, checks, work } = guessCommands({ has, read: (name) => readOrNothing(root, name) });
      return {
        root,
        isRepository,
        hasCommit: isRepository && (await hasCommit(root)),
        specs: findSpecFiles(root, {}),
        setup,
        checks,
        allow: [...work.map((command) => command.join(' ')), ...(isRepository ? GIT_WORK : [])],
        ownFiles: OWN_FILES.filter(has),
      };
    },
    async describe() {
      const root = realpathSync((await here()).root);
      return describeProject(projectTexts(root, findSpecFiles(root, {})));
    },
    exists: async (path) => existsSync(join((await here()).root, path)),
    async write({ path, kind, text }) {
      const place = await here();
      const file = join(place.root, path);
      refuseUnwritable(dirname(file));
      try {
        (await loadStores()).prepareProjectStore(place);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text, { flag: 'wx' });
        await agreeToMade(agreements, { root: place.root, path, kind, text });
        return true;
      } catch (error) {
        const { code, message, path: at } = error as NodeJS.ErrnoException;
        if (code === 'EEXIST' && at === file) return false;
        const advice = adviceForSystemError(error) ?? visible(message);
        throw new CliError(`cannot write ${visible(path)}: ${advice}`, { cause: error });
      }
    },
  };
}

function readOrNothing(root: string, name: string): string {
  const found = readProjectFile(root, name);
  return found.status === 'read' ? found.text : '';
}

/** What can be seen of a project from outside. */
export interface ProjectLook {
  /** Absolute. */
  readonly root: string;
  readonly isRepository: boolean;
  /** Without one no worktree can be made. */
  readonly hasCommit: boolean;
  readonly specs: SpecFiles;
  /** Commands that make a fresh checkout work, and those that test it, by the files that are there. */
  readonly setup: readonly (readonly string[])[];
  readonly checks: readonly (readonly string[])[];
  /** What an agent needs for its work here, as rules of `permissions.allow`. */
  readonly allow: readonly string[];
  /** Files of the user's own that git usually ignores. */
  readonly ownFiles: readonly string[];
}

/** `path` counts from the root of the project. */
interface NewFile {
  readonly path: string;
  readonly kind: 'settings' | 'workflow';
  readonly text: string;
}

/**
 * The folder of a project, for `devs init`.
 *
 * Contract: `look` only looks. `write` makes a file that is not there yet; `false` where it is, and it is left as it is. The user made it, so it
 * needs no agreement. It rejects with a `CliError` that says why a file could not be written.
 */
export interface ProjectFolder {
  look(): Promise<ProjectLook>;
  /** The project's description for prompts, from its README, package.json and specs. */
  describe(): Promise<JsonObject>;
  /** `path` counts from the root of the project. */
  exists(path: string): Promise<boolean>;
  write(file: NewFile): Promise<boolean>;
}
