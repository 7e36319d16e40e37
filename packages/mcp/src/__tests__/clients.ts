import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransport1 } from '@modelcontextprotocol/sdk/client/stdio.js';

interface Command {
  readonly command: string;
  readonly args: string[];
}

/** The part of a client that the tests use, in every version of the SDK. */
export interface AnyClient {
  getInstructions(): string | undefined;
  getServerVersion(): { name: string; version: string } | undefined;
  listTools(): Promise<{ tools: { name: string; inputSchema: object; outputSchema?: object | undefined }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: 'test', version: '0' };
const quietly = { stderr: 'ignore' } as const;

export const clients: Readonly<Record<string, (command: Command) => Promise<AnyClient>>> = {
  async 'a 1.x client'(command) {
    const client = new Client1(info);
    await client.connect(new StdioClientTransport1({ ...command, ...quietly }) as never);
    return client;
  },
  async 'a 2.x client with the handshake of 2025'(command) {
    const client = new Client(info);
    await client.connect(new StdioClientTransport({ ...command, ...quietly }));
    return client;
  },
  async 'a 2.x client that speaks 2026-07-28'(command) {
    const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new StdioClientTransport({ ...command, ...quietly }));
    return client;
  },
  async 'a 2.x client that probes first'(command) {
    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport({ ...command, ...quietly }));
    return client;
  },
};
