import type { ConversationDescribed } from '../../conversation/conversation-event.js';
import { isWithinFolder, relativePath } from '../relative-text.js';
import type { Ledger } from './ledger.js';

/**
 * The shell of an agent goes from folder to folder; paths are told from one. That is the first, once a file in it was
 * touched or while the shell stays in it: otherwise the same file would have two names.
 */
export function describePlace(ledger: Ledger, { folder, ...place }: Omit<ConversationDescribed, 'type'>): void {
  ledger.place = { ...ledger.place, ...place };
  if (folder === undefined) return;
  const first = ledger.place.folder;
  const stays = first !== undefined && (isWithinFolder(folder, first) || touchesOwnFiles(ledger));
  ledger.place = { ...ledger.place, folder: stays ? first : folder, shellFolder: folder };
  if (!stays && first !== undefined) nameFilesFrom(ledger, folder);
}

const touchesOwnFiles = ({ files }: Ledger): boolean => [...files.keys()].some((path) => !/^(?:[/~]|\w:)/.test(path));

/** So far all of them lie outside, and have their whole paths. */
function nameFilesFrom(ledger: Ledger, folder: string): void {
  const files = [...ledger.files.values()].map((file) => ({ ...file, path: relativePath(file.path, folder) }));
  ledger.files.clear();
  for (const file of files) ledger.files.set(file.path, file);
}
