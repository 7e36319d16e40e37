// The peer of `bench/mcp.ts`: what the SDK's own documentation writes, and nothing else.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '0' });
  const schema = z.object({ text: z.string() });
  server.registerTool('echo', { description: 'Says it again', inputSchema: schema, outputSchema: schema }, (input) => ({
    content: [{ type: 'text', text: JSON.stringify(input, null, 2) }],
    structuredContent: input,
  }));
  return server;
});
