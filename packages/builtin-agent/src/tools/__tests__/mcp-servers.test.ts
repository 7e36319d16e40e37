import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAgentWorld, endTurn, envelope } from '../../session/__tests__/test-agent.js';
import { readMcpConfig } from '../read-mcp-config.js';
import { openToolWorld } from './tool-world.js';

const ECHO = fileURLToPath(new URL('echo-server.mjs', import.meta.url));

function echoServer() {
  const folder = mkdtempSync(join(tmpdir(), 'devs-echo-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'done');
  const server = { command: process.execPath, args: [ECHO], env: { COUNT_FILE: file } };
  return { server, done: () => readFileSync(file, 'utf8').trim().split('\n') };
}

describe('tools of MCP servers', () => {
  it('are called by plain name, or by `server__tool` if the agent has a tool of that name', async () => {
    const { server } = echoServer();
    const { call, box } = await openToolWorld({ servers: { echo: server } });
    expect(await call('look', {})).toMatchObject({ status: 'ok', output: 'look of the echo server' });
    expect(await call('echo__read_file', {})).toMatchObject({ output: 'read_file of the echo server' });
    expect(box.tools.filter(({ name }) => name === 'read_file')).toMatchObject([{ server: 'files' }]);
  });

  it('may answer with structured content, and the model sees it unchanged', async () => {
    const { server } = echoServer();
    const { call } = await openToolWorld({ servers: { echo: server } });
    expect(await call('advance', {})).toMatchObject({ status: 'ok', output: { position: 'run.2', step: 'code' } });
  });

  it.each([
    ['look', {}],
    ['advance', { position: 'run.1' }],
  ])('are asked again when their server was killed, where repeating %s %j is harmless', async (tool, input) => {
    const { server, done } = echoServer();
    const { call } = await openToolWorld({ servers: { echo: server } });
    expect(await call(tool, { ...input, dies: true })).toMatchObject({ status: 'ok' });
    expect(done()).toHaveLength(2);
  });

  it('are not repeated if that might act twice: the model is asked to check, and the server is restarted', async () => {
    const { server, done } = echoServer();
    const { call } = await openToolWorld({ servers: { echo: server } });
    expect(await call('change', { dies: true })).toMatchObject({
      status: 'error',
      errorDetail: expect.stringContaining('look before'),
    });
    expect(await call('change', {})).toMatchObject({ status: 'ok' });
    expect(done()).toEqual(['change', 'change']);
  });

  it('[3_MCP-TAS-073] that do not answer give TIMEOUT_EXCEEDED', async () => {
    const { server } = echoServer();
    const { call } = await openToolWorld({ servers: { echo: server }, timeLimitMs: -4_500 });
    expect(await call('sleep', {})).toMatchObject({ status: 'TIMEOUT_EXCEEDED' });
  });

  it('are missing where their server cannot be started, and the others are there', async () => {
    const { missing, call } = await openToolWorld({ servers: { broken: { command: 'no-such-program', args: [] } } });
    expect(missing).toEqual(['broken']);
    expect(await call('list_files', {})).toMatchObject({ status: 'ok' });
  });

  it('of the workflow get the position that the agent knows, so that a repeated call is harmless', async () => {
    const { server, done } = echoServer();
    const world = createAgentWorld((_, call) => (call < 3 ? envelope('advance', {}) : endTurn()));
    await (await world.open({ servers: { devs: server } })).obey('Go');
    expect(done()).toEqual(['advance', 'advance run.2']);
    expect(world.of('node')).toMatchObject([{ node: 'run.2' }]);
  });
});

describe('a file of MCP servers', () => {
  it('is read in the form that Claude Code has', () => {
    const text = '{"mcpServers":{"devs":{"type":"stdio","command":"node","args":["x"],"env":{"A":"b"}}}}';
    expect(readMcpConfig(text)).toEqual({ devs: { command: 'node', args: ['x'], env: { A: 'b' } } });
  });

  it.each(['{', '[]', '{"mcpServers":{"x":{"args":[]}}}'])('is rejected as %j, with the reason', (text) => {
    expect(readMcpConfig(text)).toEqual({ problem: expect.any(String) });
  });
});
