import { createHash, randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectIndexFile, type UserDirs } from '@devs/store/project-index-file';
import type { Console } from '../screen/console.js';

/** What it takes to ask the user, and to remember what they said. */
export interface TrustServices extends Pick<Console, 'confirm'> {
  readonly agreements: Agreements;
}

/** What an agreement is about. */
export interface Subject {
  readonly kind: 'settings' | 'workflow' | 'made' | 'flags' | 'store' | 'folder';
  /** A path or an address, the same each time. */
  readonly place: string;
}

/**
 * What this user created or agreed to, by content: unknown content means no.
 *
 * Contract: kept outside of every project, for this user alone. An agreement stays valid, so that returning to an
 * older branch does not ask again.
 */
export interface Agreements {
  has(subject: Subject, text: string): Promise<boolean>;
  add(subject: Subject, text: string): Promise<void>;
  /** The text that was agreed to last; nothing where none was. */
  latest(subject: Subject): Promise<string | undefined>;
}

/** In the user's own state; `undefined` where they have no place for it. */
export function agreementsFolder(place: UserDirs): string | undefined {
  const index = projectIndexFile(place);
  return index === undefined ? undefined : join(dirname(index), 'agreed');
}

/** One small file for each: two processes that agree at the same time lose nothing. `folder`: in the user's own state. */
export function openAgreements(folder: () => Promise<string>): Agreements {
  const fileOf = async (subject: Subject, text: string) => join(await folder(), digestOf(subject, text));
  const latestOf = async (subject: Subject) => join(await folder(), `latest-${digestOf(subject)}`);
  return {
    async has(subject, text) {
      const found = await stat(await fileOf(subject, text)).catch(() => undefined);
      return found?.isFile() ?? false;
    },
    async add(subject, text) {
      await mkdir(await folder(), { recursive: true, mode: 0o700 });
      await write(await latestOf(subject), text);
      await write(await fileOf(subject, text), `${subject.kind} ${subject.place}\n`);
    },
    latest: async (subject) => readFile(await latestOf(subject), 'utf8').catch(() => undefined),
  };
}

/** No reader sees half of it. */
async function write(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}

const digestOf = ({ kind, place }: Subject, ...text: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, place, ...text]))
    .digest('hex');

/** A file of a project as the subject of an agreement: the same on every way to the project. */
export const projectSubject = (kind: Subject['kind'], root: string, path: string): Subject => ({
  kind,
  place: join(realFolder(root), path),
});

function realFolder(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root; // the folder is gone: nothing was agreed to there
  }
}
