import { existsSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { StoreBackend } from '@devs/core';
import type { SqliteBackend } from '@devs/store';
import { locateProjectStore } from '@devs/store/project-store';
import { refuseUnwritable } from '../files/refuse-unwritable.js';
import type { StoreGate } from '../trust/store-gate.js';
import { count } from '../words.js';
import { isOwnFolder, listOwnFiles, OWN_FOLDERS } from './own-files.js';
import type { ProjectPlace, Records } from './records.js';
import { refuseOtherFiles } from './refuse-other-files.js';
import { createSharedStores } from './shared-stores.js';
import type { StoreLocation } from './store-location.js';

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
  readonly complain: (text: string) => void;
  /** Keeps foreign stores out. */
  readonly gate: Pick<StoreGate, 'enter' | 'check'>;
}

/** The store of a project, also where it is named by its path. */
const isProjectFile = (file: string) => basename(file) === 'state.db' && basename(dirname(file)) === '.devs';

/** The records of the user, for the current `folder`. */
export function createRecords(deps: RecordsDeps): Records {
  const { loadStores, folder, env, platform, now, complain, gate } = deps;
  const indexOf = (stores: Stores) => ({ file: stores.projectIndexFile({ env, platform, home: homedir() }) });
  /** Opened by this process before: they are stores, and looking into one by hand would give up the locks that SQLite holds. */
  const known = new Set<string>();
  const openFile = async (file: string): Promise<SqliteBackend> => {
    known.add(file);
    const backend = (await loadStores()).openSqliteBackend({ file, keepAlive: true, now });
    if (backend.damagedKept !== undefined) {
      complain(`devs: ${file} was damaged. It is kept as ${backend.damagedKept}, and a new store was created.`);
    }
    if (backend.wasEmptied) {
      complain(
        `devs: ${file} was empty, so a new store was created. If you did not empty it: stop devs, move the file away, and put your backup in its place, or import one with \`devs debug import\`.`,
      );
    }
    return backend;
  };
  const openProject = async (place: ProjectPlace): Promise<StoreBackend> => {
    const stores = await loadStores();
    refuseUnwritable(dirname(place.file));
    await gate.enter(place);
    stores.prepareProjectStore(place);
    const backend = await openFile(place.file);
    try {
      const isNew = backend.damagedKept !== undefined || backend.wasEmptied === true;
      await gate.check(place, await backend.id(), isNew);
    } catch (error) {
      await backend.close();
      throw error;
    }
    stores.rememberProject(indexOf(stores), { root: place.root, lastUsedAt: now() });
    return backend;
  };

  const here = async () => locateProjectStore(folder);
  const shared = createSharedStores({ ...deps, root: async () => (await here()).root });
  const placeOf = async (location: Exclude<StoreLocation, { kind: 'redis' }>): Promise<ProjectPlace> =>
    location.kind === 'project' ? here() : { root: dirname(location.file), file: location.file };
  return {
    here,
    async projects() {
      const stores = await loadStores();
      const index = indexOf(stores);
      if (index.file === undefined || !existsSync(index.file)) return [];
      const { projects, problem } = stores.listProjects(index);
      if (problem !== undefined) complain(`devs: ${problem}`);
      return projects.map(({ root }) => locateProjectStore(root)).filter(({ file }) => existsSync(file));
    },
    async open(location, how) {
      if (location.kind === 'redis') return shared.open(location.url, how);
      const place = location.kind === 'project' ? await here() : undefined;
      const file = location.kind === 'project' ? (place?.file ?? '') : location.file;
      if (how === 'existing' && !existsSync(file)) return undefined;
      if (place !== undefined) return openProject(place);
      if (isProjectFile(file)) return openProject({ root: dirname(dirname(file)), file });
      if (!known.has(file)) await refuseOtherFiles(file);
      return openFile(file);
    },
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
      // Listed again: a reader may have left files of SQLite beside it.
      for (const name of await listOwnFiles(place)) await rm(name, { force: true });
      if (!isOwnFolder(place)) return;
      for (const own of OWN_FOLDERS) await rmdir(join(dirname(place.file), own)).catch(() => {});
      await rmdir(dirname(place.file)).catch(() => {}); // the folder contains other files
      stores.forgetProject(indexOf(stores), place.root);
    },
  };
}
