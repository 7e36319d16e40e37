import { readFile, rm } from 'node:fs/promises';
import { type McpServer, messageOf } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';

/** It becomes the name of a file. */
export function checkedId(id: string): string {
  if (/^[\w][\w.-]{0,99}$/.test(id)) return id;
  throw new UsageError(`'${id}' cannot be the id of a conversation: letters, digits, dots and dashes.`);
}

/** The MCP servers that a file names. */
export async function serversIn(
  path: string | undefined,
  loadAgent: () => Promise<Pick<typeof import('@devs/builtin-agent'), 'readMcpConfig'>>,
): Promise<Readonly<Record<string, McpServer>>> {
  const text = await textOf(path);
  if (text === undefined) return {};
  const servers = (await loadAgent()).readMcpConfig(text);
  if ('problem' in servers && typeof servers.problem === 'string') throw new CliError(`${path}: ${servers.problem}`);
  return servers as Readonly<Record<string, McpServer>>;
}

/** The text of a file that was named. */
export async function textOf(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CliError(`${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

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
