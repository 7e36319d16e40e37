// What a call of an MCP tool of devs costs, from the client's side of the pipe, next to an echo on the bare SDK; and what it
// costs to load a workflow next to parsing its YAML.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadWorkflowTemplateFromString } from '@devs/core/workflow';
import { parse } from 'yaml';
import { startMcpClient } from './lib/mcp-client.js';
import { compareToBareEcho } from './lib/mcp-compare.js';
import { bestNanoseconds } from './lib/measure.js';

const STEPS = 1_000;
const LOAD_BAR = 10;
/** About as many positions as a long workflow has. */
const ITERATIONS = 100;

console.log('\nround trips over stdio, and the ratio of the medians to an echo on the bare SDK in the same run\n');
await compareToBareEcho({
  name: 'echo on our shell',
  command: process.execPath,
  args: [fileURLToPath(new URL('./lib/mcp-shell-echo.js', import.meta.url))],
  tool: 'echo',
  argumentsFor: () => ({ text: 'the parser is done' }),
  bar: 1.1,
});

const folder = mkdtempSync(join(tmpdir(), 'devs-bench-mcp-'));
const devs = {
  command: process.execPath,
  args: [
    ...[fileURLToPath(new URL('../../packages/cli/bin/devs.mjs', import.meta.url)), 'mcp'],
    ...['--worktree', folder, '--repo-root', folder, '--workflow-path', join(folder, 'workflow.yaml')],
    ...['--store', `sqlite:${join(folder, 'state.db')}`],
  ],
};
writeFileSync(
  join(folder, 'workflow.yaml'),
  `name: bench\ndescription: Long enough\nsteps:\n  - {id: go, type: ralph, n: ${ITERATIONS}, instructions: Go on}\n`,
);
const starter = await startMcpClient(devs);
await starter.timeCall('workflow_start', {});
await starter.close();
await compareToBareEcho({
  ...devs,
  name: 'workflow_status',
  tool: 'workflow_status',
  argumentsFor: () => ({}),
  bar: 1.3,
});
await compareToBareEcho({
  ...devs,
  name: 'workflow_advance, durable',
  tool: 'workflow_advance',
  argumentsFor: (index) => ({ output: `Iteration ${index}: the parser is done, and its tests pass.` }),
  bar: 2,
  async prepare(client, index) {
    if (index % ITERATIONS === 0) await client.timeCall('workflow_start', { restart: index > 0 });
  },
});
// What the disk alone takes, so that it can be told from what we add to it.
await compareToBareEcho({
  name: 'bare echo, durable write',
  command: process.execPath,
  args: [fileURLToPath(new URL('./lib/mcp-durable-echo.js', import.meta.url)), join(folder, 'durable-echo.bin')],
  tool: 'echo',
  argumentsFor: () => ({ text: 'the parser is done' }),
});
rmSync(folder, { recursive: true });

const step = (n: number) =>
  `  - id: step-${n}\n    type: action\n    instructions: |\n      Do part ${n} of the work.\n      Then run the tests.\n`;
const yaml = `name: long\ndescription: Many steps\nsteps:\n${Array.from({ length: STEPS }, (_, n) => step(n)).join('')}`;
const loading = bestNanoseconds(() => void loadWorkflowTemplateFromString(yaml));
const ratio = loading / bestNanoseconds(() => void parse(yaml));
console.log(
  `a template of ${STEPS} steps loads in ${ratio.toFixed(2)}× the time of parsing its YAML  (bar ${LOAD_BAR}×: ${ratio <= LOAD_BAR ? 'met' : 'NOT MET'})`,
);
