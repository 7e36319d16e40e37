import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../cli-error.js';
import type { OpenedConversation, WantedConversation } from './conversations.js';

/**
 * Where the work of a conversation is: the folder that was named, else that of the conversation, else the working folder.
 * Nowhere where a transcript was brought here from another machine: the working folder would be another project.
 */
export async function findWorkFolder(
  { ledger }: OpenedConversation,
  { folder, transcript }: WantedConversation,
  here: string,
): Promise<string | undefined> {
  if (folder !== undefined) {
    const named = resolve(here, folder);
    if (await isFolder(named)) return named;
    throw new CliError(`there is no folder "${named}". Give the folder that the agent worked in with --repo.`);
  }
  const own = ledger.place.folder;
  if (own !== undefined && (await isFolder(own))) return own;
  return transcript === undefined ? here : undefined;
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
