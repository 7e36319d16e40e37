import { existsSync, lstatSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { ProjectPaths } from '../store-access/create-records.js';
import { type Agreements, projectSubject, type Subject } from './agreements.js';

/**
 * Whether the store of a project is this user's: its runs, questions, tasks and flags are obeyed.
 *
 * Contract: a store counts where this user made it or joined it at this place, by its id. Git is asked only whether the file is
 * tracked; where it does not answer, the id alone decides.
 */
export interface StoreGate {
  /** Before the file is opened or created. Rejects for a foreign file. */
  enter(place: ProjectPaths): Promise<void>;
  /** With the id of the store that was opened. Rejects for another store than the known one. `isNew`: devs has just made it. */
  check(place: ProjectPaths, id: string, isNew: boolean): Promise<void>;
  /** The user agrees to the store. Gives `false` where there is none that they have to agree to. */
  join(place: ProjectPaths): Promise<boolean>;
}

interface StoreGateDeps {
  readonly agreements: Agreements;
  readonly isTracked: (path: string) => Promise<boolean>;
  /** Whether this user worked in the project with a devs that kept no ids. */
  readonly wasUsedBefore: (root: string) => Promise<boolean>;
}

/** Placeholder for the id until the store is opened for the first time. */
const ID_TO_COME = 'id to come';

export function createStoreGate({ agreements, isTracked, wasUsedBefore }: StoreGateDeps): StoreGate {
  const isKnown = async (subject: Subject) => (await agreements.latest(subject)) !== undefined;
  return {
    async enter(place) {
      refuseLinks(place);
      const subject = storeSubject(place);
      if (!existsSync(place.file)) return agreements.add(subject, ID_TO_COME);
      if (await isTracked(place.file)) throw tracked(place);
      if (await isKnown(subject)) return;
      if (!(await wasUsedBefore(place.root))) throw unknown(place);
      await agreements.add(subject, ID_TO_COME);
    },
    async check(place, id, isNew) {
      const subject = storeSubject(place);
      if (isNew || (await agreements.latest(subject)) === ID_TO_COME) return agreements.add(subject, id);
      if (!(await agreements.has(subject, id))) throw unknown(place);
    },
    async join(place) {
      if (!existsSync(place.file)) return false;
      refuseLinks(place);
      if (await isTracked(place.file)) throw tracked(place);
      if (await isKnown(storeSubject(place))) return false;
      await agreements.add(storeSubject(place), ID_TO_COME);
      return true;
    },
  };
}

/** For a reader that must be quick and has no opinion on unknown stores. `id`: where the store was opened already. */
export async function isKnownStore(agreements: Agreements, place: ProjectPaths, id?: string): Promise<boolean> {
  const latest = await agreements.latest(storeSubject(place));
  if (latest === undefined || id === undefined || latest === ID_TO_COME) return latest !== undefined;
  return agreements.has(storeSubject(place), id);
}

const storeSubject = ({ root, file }: ProjectPaths): Subject => projectSubject('store', root, relative(root, file));

/** A link could lead to the store of another project, or make devs write where the repository wants. */
function refuseLinks({ file }: ProjectPaths): void {
  for (const path of [dirname(file), file, `${file}-wal`, `${file}-shm`]) {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    throw new CliError(
      `${visible(path)} is a link, which a repository may have brought. Remove the link and try again.`,
    );
  }
}

const tracked = ({ file }: ProjectPaths) =>
  new CliError(
    `${visible(file)} came with the repository, so its content cannot be trusted. Stop tracking it with \`git rm --cached .devs/state.db\` and move it away.`,
  );

const unknown = ({ file }: ProjectPaths) =>
  new CliError(
    `${visible(file)} was not made by you in this folder, so its runs and tasks do not count. If it is yours, as after moving the project, join it with \`devs config --trust\`; else move it away.`,
  );
