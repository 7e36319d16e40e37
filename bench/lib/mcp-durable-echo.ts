// The least that any durable tool can cost: the bare echo, with as many bytes as SQLite writes for one event stored for good
// before it answers. The file has its size already, as the log of the database has.
import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const TWO_PAGES = Buffer.alloc(2 * (24 + 4096), 1);
const FILE_BYTES = 16 * 1024 * 1024;

const file = openSync(process.argv[2] ?? 'durable-echo.bin', 'w');
for (let at = 0; at < FILE_BYTES; at += TWO_PAGES.length) writeSync(file, TWO_PAGES, 0, TWO_PAGES.length, at);
ftruncateSync(file, FILE_BYTES);
fsyncSync(file);
process.on('exit', () => closeSync(file));

let at = 0;
serveStdio(() => {
  const server = new McpServer({ name: 'durable', version: '0' });
  const schema = z.object({ text: z.string() });
  server.registerTool('echo', { description: 'Says it again', inputSchema: schema, outputSchema: schema }, (input) => {
    writeSync(file, TWO_PAGES, 0, TWO_PAGES.length, at);
    fdatasyncSync(file);
    at = (at + TWO_PAGES.length) % (FILE_BYTES - TWO_PAGES.length);
    return { content: [{ type: 'text', text: JSON.stringify(input, null, 2) }], structuredContent: input };
  });
  return server;
});
