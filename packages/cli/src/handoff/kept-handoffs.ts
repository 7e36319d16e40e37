import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type HandoffDocument, type Ledger, STARTING_PROMPT } from '@devs/core';
import { readProjectFile } from '@devs/worktree/project-file';
import { CliError } from '../cli-error.js';
import { isRealFolder } from '../files/is-real-folder.js';
import { toJson } from '../screen/to-json.js';
import { type Agreements, projectSubject } from '../trust/agreements.js';
import type { HandoffToKeep, KeptHandoff } from './conversations.js';
import { HANDOFF_FOLDER } from './kept-folders.js';

interface HandoffDeps {
  readonly stores: Pick<typeof import('@devs/store/project-store'), 'locateProjectStore' | 'prepareProjectStore'>;
  /** Knows which documents this user made: a repository may bring others, whose text would reach the next agent. */
  readonly agreements: Agreements;
}

/** The text for the next agent, and beside it the document, from which the next handoff takes what is still open. */
export async function keepHandoff(
  { folder, document, text }: HandoffToKeep,
  { stores, agreements, now }: HandoffDeps & { readonly now: number },
): Promise<KeptHandoff> {
  const place = stores.locateProjectStore(folder);
  stores.prepareProjectStore(place);
  const handoffs = join(place.root, '.devs', HANDOFF_FOLDER);
  try {
    await mkdir(handoffs, { recursive: true, mode: 0o700 });
    if (![dirname(handoffs), handoffs].every(isRealFolder)) throw new Error('it leads to another folder');
    const name = await writeNew(handoffs, nameFor(document, now), `${text}\n`);
    const json = toJson(document);
    await writeFile(join(handoffs, `${name}.json`), json, { mode: 0o600 });
    // A user without a state folder has the text; only the next handoff does without the document.
    await agreements.add(subjectOf(place.root, name), digestOf(json)).catch(() => {});
    return {
      folder,
      file: relative(folder, join(handoffs, `${name}.md`))
        .split(sep)
        .join('/'),
    };
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(`cannot write a handoff into "${handoffs}": ${message}. Redirect \`devs handoff\` to a file.`, {
      cause: error,
    });
  }
}

/** `20261116-041500-b00b80af`: sorted by time, and known again. */
function nameFor({ conversation: { id = '' } }: HandoffDocument, now: number): string {
  const [day = '', time = ''] = new Date(now).toISOString().split('T');
  const parts = [day, time.slice(0, 8)].map((part) => part.replace(/[^0-9]/g, ''));
  return [...parts, id.replace(/[^A-Za-z0-9]/g, '').slice(0, 8)].filter((part) => part !== '').join('-');
}

/** Never overwrites a file. */
async function writeNew(folder: string, name: string, text: string): Promise<string> {
  for (let again = 1; ; again++) {
    const tried = again === 1 ? name : `${name}-${again}`;
    try {
      await writeFile(join(folder, `${tried}.md`), text, { mode: 0o600, flag: 'wx' });
      return tried;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || again >= MAX_TRIES) throw error;
    }
  }
}

const MAX_TRIES = 100;

/** The handoff that the conversation was told to read, where this user made it and it is still as it was. */
export async function findEarlier(
  { firstRequest, requests }: Ledger,
  folder: string,
  { stores, agreements }: HandoffDeps,
): Promise<HandoffDocument | undefined> {
  const [first] = requests;
  const named = [firstRequest, first].map((said) => STARTING_PROMPT.exec(said?.text ?? '')?.[1]);
  const name = named.find((found) => found !== undefined);
  if (name === undefined) return undefined;
  const { root } = stores.locateProjectStore(folder);
  const file = readProjectFile(root, documentPath(name));
  try {
    if (file.status !== 'read' || !(await agreements.has(subjectOf(root, name), digestOf(file.text)))) return undefined;
    const { parseKept } = await import('./parse-kept.js'); // few conversations began from one
    return parseKept(file.text);
  } catch {
    return undefined; // gone or damaged: then the conversation has to do by itself
  }
}

const documentPath = (name: string): string => join('.devs', HANDOFF_FOLDER, `${name}.json`);

const subjectOf = (root: string, name: string) => projectSubject('made', root, documentPath(name));

/** In place of the text, so that `devs purge` leaves no copy of the document with the agreements. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
