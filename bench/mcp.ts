// What a call of an MCP tool of devs costs, from the client's side of the pipe, next to an echo on the bare SDK.
import { fileURLToPath } from 'node:url';
import { compareToBareEcho } from './lib/mcp-compare.js';

console.log('\nround trips over stdio, and the ratio of the medians to an echo on the bare SDK in the same run\n');
await compareToBareEcho({
  name: 'echo on our shell',
  command: process.execPath,
  args: [fileURLToPath(new URL('./lib/mcp-shell-echo.js', import.meta.url))],
  tool: 'echo',
  argumentsFor: () => ({ text: 'the parser is done' }),
  bar: 1.1,
});
