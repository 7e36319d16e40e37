import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface McpClient {
  /** Milliseconds from the call to its answer. Throws when the tool says that it is in error. */
  timeCall(tool: string, args: object): Promise<number>;
  close(): Promise<void>;
}

/** The SDK's own client, as agents have it. */
export async function startMcpClient({ command, args }: McpCommand): Promise<McpClient> {
  const client = new Client({ name: 'bench', version: '0' });
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'inherit' }));
  return {
    async timeCall(tool, args) {
      const asked = performance.now();
      const result = await client.callTool({ name: tool, arguments: args as Record<string, unknown> });
      const tookMs = performance.now() - asked;
      if (result.isError === true) throw new Error(`${tool} answered ${JSON.stringify(result)}`);
      return tookMs;
    },
    close: () => client.close(),
  };
}

/** From the start of the process to its first answer, which is to `initialize`. */
export async function timeFirstAnswer({ command, args }: McpCommand): Promise<number> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  await once(child.stdout, 'data');
  const tookMs = performance.now() - started;
  child.stdin.end();
  child.stdout.resume();
  await once(child, 'close');
  return tookMs;
}
