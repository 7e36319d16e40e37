import { readFile } from 'node:fs/promises';
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
