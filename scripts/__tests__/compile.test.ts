import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'devs-compile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') }; // not in the list of the user's projects
const node = (args: readonly string[], input?: string) =>
  spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8', ...(input !== undefined && { input }) });

it('`npm run compile` leaves the two doors that the specification of workflows names', () => {
  expect(node(['scripts/compile.mjs'])).toMatchObject({ status: 0 });

  const loaded = node([
    '-e',
    `
const { loadWorkflowTemplate } = require('./out/workflow/index.js');
const template = loadWorkflowTemplate('./workflows/context-example.yaml');
console.log('Workflow loaded successfully:', template.name);
console.log('Steps:', template.steps.map(s => ({ id: s.id, context: s.context })));
`,
  ]);
  expect(loaded).toMatchObject({ status: 0 });
  expect(loaded.stdout).toContain('Workflow loaded successfully: context-example');
  expect(loaded.stdout).toContain("{ id: 'brainstorm', context: 'clear' }");

  const worktree = join(folder, 'worktree');
  mkdirSync(worktree);
  const file = './workflows/context-example.yaml';
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  const lines = [
    { id: 1, method: 'initialize', params: client },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'workflow_start', arguments: {} } },
  ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const place = ['--worktree', worktree, '--workflow-path', file, '--repo-root', worktree];
  const served = node(['out/mcp/server.js', ...place], lines.join(''));
  expect(served).toMatchObject({ status: 0, stderr: '' });
  const answer = JSON.parse(served.stdout.trim().split('\n').at(-1) ?? '');
  expect(JSON.parse(answer.result.content[0].text)).toEqual({
    contextAction: '/clear',
    message: 'Please run `/clear` first, then call workflow_status again.',
    position: expect.any(String),
  });
});
