// The same echo as `mcp-bare-echo.ts` on the shell of `@devs/mcp`: what a tool of devs costs before it does anything.
import { createToolServer, defineTool, serveStdio } from '@devs/mcp';
import { z } from 'zod';

const text = z.object({ text: z.string() });
const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Says it again',
  annotations: { readOnlyHint: true },
  input: text,
  output: text,
  run: (input) => input,
});
const server = createToolServer({ name: 'shell', version: '0', tools: [echo], context: undefined });
await serveStdio(server, { stdin: process.stdin, stdout: process.stdout });
