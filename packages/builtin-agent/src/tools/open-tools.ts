import type { McpServer, Sandbox } from '@devs/core';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createToolBox, type ToolBox, type ToolLimits } from './create-tool-box.js';
import { serveFileTools } from './serve-file-tools.js';
import { connectTools, type ToolConnection } from './tool-connection.js';

export interface ToolsRequest extends ToolLimits {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: Sandbox;
  readonly servers: Readonly<Record<string, McpServer>>;
  /** A server that cannot be started: the agent works without it, unless this throws. */
  onMissing(server: string, error: unknown): void;
}

export const OWN_SERVER = 'files';

export async function openTools(request: ToolsRequest): Promise<ToolBox> {
  const { root, sandbox, mostOutputChars, timeLimitMs } = request;
  const own = await connectTools(OWN_SERVER, async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await serveFileTools(theirs, { root, sandbox, mostOutputChars, timeLimitMs });
    return ours;
  });
  const others: ToolConnection[] = [];
  for (const [name, server] of Object.entries(request.servers)) {
    try {
      others.push(await connectTools(name, async () => openStdio(server, request)));
    } catch (error) {
      try {
        request.onMissing(name, error);
      } catch (refusal) {
        for (const connection of [own, ...others]) await connection.close().catch(() => {});
        throw refusal;
      }
    }
  }
  return createToolBox([own, ...others], request);
}

/** Messages on stderr would be drawn over the terminal. */
function openStdio({ command, args, env: added }: McpServer, { root, env }: ToolsRequest): StdioClientTransport {
  const known = Object.entries({ ...env, ...added }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new StdioClientTransport({
    command,
    args: [...args],
    env: Object.fromEntries(known),
    cwd: root,
    stderr: 'ignore',
  });
}
