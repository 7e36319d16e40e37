import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonObject } from '@devs/core';
import { parseObject } from '../../reading/json.js';

/** Content of a user's `--settings`, which is a file or JSON; `undefined` if unreadable. */
export async function readSettings(given: string, folder: string): Promise<JsonObject | undefined> {
  if (given.trimStart().startsWith('{')) return parseObject(given);
  const text = await readGivenFile(given, folder);
  return text === undefined ? undefined : parseObject(text.replace(/^\uFEFF/, ''));
}

export async function readGivenFile(path: string, folder: string): Promise<string | undefined> {
  try {
    return await readFile(resolve(folder, path), 'utf8');
  } catch {
    return undefined;
  }
}
