import type { McpServer } from '@devs/core';
import { z } from 'zod';

const Config = z.object({
  mcpServers: z.record(
    z.string(),
    z.object({
      command: z.string(),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

/** The servers in a file of Claude Code's format, or its problem. Pure. */
export function readMcpConfig(text: string): Readonly<Record<string, McpServer>> | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'it is not JSON' };
  }
  const checked = Config.safeParse(value);
  if (!checked.success) {
    return { problem: checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') };
  }
  const entries = Object.entries(checked.data.mcpServers).map(([name, { command, args, env }]) => {
    return [name, { command, args, ...(env === undefined ? {} : { env }) }] as const;
  });
  return Object.fromEntries(entries);
}
