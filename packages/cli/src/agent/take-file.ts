import { readFile, rm } from 'node:fs/promises';
import { messageOf } from '@devs/core';
import { CliError } from '../cli-error.js';

/** Reads a file meant for one reader and deletes it, even if it could not be read. */
export async function takeFile(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CliError(`${path} cannot be read: ${messageOf(cause)}`, { cause });
  } finally {
    await rm(path, { force: true });
  }
}

/** The error contains nothing of the text, which holds keys. */
export function readKeys(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined) return {};
  const value = parseJson(text);
  const isKeys = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isKeys && Object.values(value).every((key) => typeof key === 'string')) return value as Record<string, string>;
  throw new CliError('the file of --keys-file is not a JSON object of texts.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
