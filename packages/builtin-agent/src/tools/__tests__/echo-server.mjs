// A small MCP server on stdio that dies on request. `COUNT_FILE` counts its calls.
import { appendFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const done = (what) => appendFileSync(process.env.COUNT_FILE, `${what}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });

serveStdio(() => {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
  const any = { type: 'object' };
  server.setRequestHandler('tools/list', () => ({
    tools: [
      { name: 'look', description: 'Looks.', inputSchema: any, annotations: { readOnlyHint: true } },
      { name: 'change', description: 'Changes.', inputSchema: any },
      {
        name: 'advance',
        description: 'Goes on.',
        inputSchema: { ...any, properties: { position: { type: 'string' } } },
      },
      { name: 'read_file', description: 'Another one.', inputSchema: any },
      { name: 'sleep', description: 'Never answers.', inputSchema: any },
    ],
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { name, arguments: input = {} } = params;
    done(`${name} ${input.position ?? ''}`.trim());
    if (input.dies === true && !(await hasDied())) process.kill(process.pid, 'SIGKILL');
    if (name === 'sleep') await new Promise(() => {});
    if (name === 'advance') return { ...text('moved'), structuredContent: { position: 'run.2', step: 'code' } };
    return text(`${name} of the echo server`);
  });
  return server;
});

/** It dies only once: the next process finds that it has. */
async function hasDied() {
  const { existsSync, writeFileSync } = await import('node:fs');
  const mark = `${process.env.COUNT_FILE}.died`;
  const before = existsSync(mark);
  writeFileSync(mark, '');
  return before;
}
