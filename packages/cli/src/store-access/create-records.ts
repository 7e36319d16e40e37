import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ContextPersistencePort, StoreBackend } from '@devs/core';
import type { SqliteBackend } from '@devs/store';
import { locateProjectStore } from '@devs/store/project-store';
import { isRealFolder } from '../files/is-real-folder.js';
import { refuseUnwritable } from '../files/system-error.js';
import { HANDOFF_FOLDER } from '../handoff/kept-folders.js';
import { OLD_HOOK_FOLDER } from '../hook/hook-folder.js';
import type { StoreGate } from '../trust/store-gate.js';
import { count } from '../words.js';
import { refuseOtherFiles } from './refuse-other-files.js';
import { createSharedStores } from './shared-stores.js';
import type { StoreLocation } from './store-location.js';

/** The files that hold the records of a place. Named exactly: with `--store` the folder may be anybody's, and full of other things. */
async function listOwnFiles(place: ProjectPaths): Promise<readonly string[]> {
  const { file } = place;
  const folder = dirname(file);
  const name = basename(file);
  const own = new Set([name, `${name}-wal`, `${name}-shm`, `${name}-journal`]);
  if (isOwnFolder(place)) own.add('session-state.json');
  const namesIn = (where: string) => readdir(where).catch((): string[] => []);
  const files = (await namesIn(folder))
    .filter((other) => own.has(other) || other.startsWith(`${name}.damaged-`))
    .sort()
    .map((other) => join(folder, other));
  if (!isOwnFolder(place) || !isRealFolder(folder)) return files;
  const below = OWN_FOLDERS.filter((own) => isRealFolder(join(folder, own))).map(async (own) =>
    (await namesIn(join(folder, own))).sort().map((other) => join(folder, own, other)),
  );
  return [...files, ...(await Promise.all(below)).flat()];
}

/** Folders in `.devs/` that contain only our files; each is removed when it is empty. */
const OWN_FOLDERS: readonly string[] = [HANDOFF_FOLDER, OLD_HOOK_FOLDER];

/** Whether the file is in the `.devs/` of its project. */
const isOwnFolder = ({ root, file }: ProjectPaths) => dirname(file) === join(root, '.devs');

type Stores = typeof import('@devs/store');

interface RecordsDeps {
  /** Loaded when it is first needed: `devs --help` does without a database. */
  readonly loadStores: () => Promise<Stores>;
  readonly loadWorktree: () => Promise<typeof import('@devs/worktree')>;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly hostName: string;
  readonly now: () => number;
  readonly warn: (text: string) => void;
  /** Keeps foreign stores out. */
  readonly gate: Pick<StoreGate, 'enter' | 'check'>;
}

/** The store of a project, also where it is named by its path. */
const isProjectFile = (file: string) => basename(file) === 'state.db' && basename(dirname(file)) === '.devs';

/** The records of the user, for the current `folder`. */
export function createRecords(deps: RecordsDeps): Records {
  const { loadStores, folder, warn } = deps;
  const files = new StoreFiles(deps);
  const here = async () => locateProjectStore(folder);
  const shared = createSharedStores({ ...deps, root: async () => (await here()).root });
  const placeOf = async (location: Exclude<StoreLocation, { kind: 'redis' }>): Promise<ProjectPaths> =>
    location.kind === 'project' ? here() : { root: dirname(location.file), file: location.file };
  return {
    here,
    async projects(onProblem = (text) => warn(`devs: ${text}`)) {
      const stores = await loadStores();
      const index = indexOf(stores, deps);
      if (index.file === undefined || !existsSync(index.file)) return [];
      const { projects, problem } = stores.listProjects(index);
      if (problem !== undefined) onProblem(problem);
      return projects.map(({ root }) => locateProjectStore(root)).filter(({ file }) => existsSync(file));
    },
    async open(location, how) {
      if (location.kind === 'redis') return shared.open(location.url, how);
      const place = await placeOf(location);
      if (how === 'existing' && !existsSync(place.file)) return undefined;
      if (location.kind === 'project') return files.openProject(place);
      return isProjectFile(place.file)
        ? files.openProject({ root: dirname(dirname(place.file)), file: place.file })
        : files.openNamed(place.file);
    },
    addressOf: shared.addressOf,
    warnings: async (location) => (location.kind === 'redis' ? (await loadStores()).checkRedis(location.url) : []),
    sessionState: (file) => ({
      save: async (state) => (await loadStores()).createSessionStateFile({ file }).save(state),
    }),
    async holdingsOf(location) {
      if (location.kind !== 'redis') return listOwnFiles(await placeOf(location));
      const keys = await (await loadStores()).findRedisKeys(await shared.addressOf(location.url));
      return keys.count === 0 ? [] : [`${keys.where}: ${count(keys.count, 'key')} that begin with ${keys.prefix}`];
    },
    async purge(location) {
      const stores = await loadStores();
      if (location.kind === 'redis') {
        await stores.removeRedisKeys(await shared.addressOf(location.url));
        await shared.forget(location.url);
        return;
      }
      const place = await placeOf(location);
      if (await removeOwnFiles(place)) stores.forgetProject(indexOf(stores, deps), place.root);
    },
  };
}

const indexOf = (stores: Stores, { env, platform }: RecordsDeps) => ({
  file: stores.projectIndexFile({ env, platform, home: homedir() }),
});

/** Whether it was the store of a project. */
async function removeOwnFiles(place: ProjectPaths): Promise<boolean> {
  // Listed again: a reader may have left files of SQLite beside it.
  for (const name of await listOwnFiles(place)) await rm(name, { force: true });
  if (!isOwnFolder(place)) return false;
  for (const own of OWN_FOLDERS) await rmdir(join(dirname(place.file), own)).catch(() => {});
  await rmdir(dirname(place.file)).catch(() => {}); // the folder contains other files
  return true;
}

/** Opens stores in files, and says what was found there. */
class StoreFiles {
  /** Opened by this process before: they are stores, and looking into one by hand would give up the locks that SQLite holds. */
  private readonly known = new Set<string>();

  constructor(private readonly deps: RecordsDeps) {}

  async openNamed(file: string): Promise<SqliteBackend> {
    if (!this.known.has(file)) await refuseOtherFiles(file);
    return this.open(file);
  }

  async openProject(place: ProjectPaths): Promise<StoreBackend> {
    const { loadStores, gate, now } = this.deps;
    const stores = await loadStores();
    refuseUnwritable(dirname(place.file));
    await gate.enter(place);
    stores.prepareProjectStore(place);
    const backend = await this.open(place.file);
    try {
      const isNew = backend.damagedKept !== undefined || backend.wasEmptied === true;
      await gate.check(place, await backend.id(), isNew);
    } catch (error) {
      await backend.close();
      throw error;
    }
    stores.rememberProject(indexOf(stores, this.deps), { root: place.root, lastUsedAt: now() });
    return backend;
  }

  private async open(file: string): Promise<SqliteBackend> {
    const { loadStores, now, warn } = this.deps;
    this.known.add(file);
    const backend = (await loadStores()).openSqliteBackend({ file, keepAlive: true, now });
    if (backend.damagedKept !== undefined)
      warn(`devs: ${file} was damaged. It is kept as ${backend.damagedKept}, and a new store was created.`);
    if (backend.wasEmptied)
      warn(
        `devs: ${file} was empty, so a new store was created. If you did not empty it: stop devs, move the file away, and put your backup in its place, or import one with \`devs debug import\`.`,
      );
    return backend;
  }
}

/** A project that devs knows, and where its records are. */
export interface ProjectPaths {
  readonly root: string;
  readonly file: string;
}

/**
 * The records of this user: where they are, and how they are opened.
 *
 * Contract: `open` with `existing` creates no file and no folder; it returns `undefined` without a store. The caller
 * closes what it opens. An existing but unusable store rejects with `StoreUnavailableError`.
 */
export interface Records {
  here(): Promise<ProjectPaths>;
  /** Every project in which this user used devs and that still exists. `onProblem` hears why the list cannot be read. */
  projects(onProblem?: (text: string) => void): Promise<readonly ProjectPaths[]>;
  open(location: StoreLocation, how: 'create' | 'existing'): Promise<StoreBackend | undefined>;
  /** The address of a Redis with the prefix that this project's records have there. */
  addressOf(url: string): Promise<string>;
  /** What could make this store lose something, one sentence each. */
  warnings(location: StoreLocation): Promise<readonly string[]>;
  /** Where the state is left for tools outside. */
  sessionState(file: string): ContextPersistencePort;
  /** What holds the records there, each by its name: files, or the keys of a Redis. Nothing where there are none. */
  holdingsOf(location: StoreLocation): Promise<readonly string[]>;
  /** Removes all that, and the project from the list of projects. */
  purge(location: StoreLocation): Promise<void>;
}
