import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { RecordedRequest } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEVS, runDevs } from '../../../__tests__/run-devs.js';
import { createWorld } from '../../../__tests__/run-here.js';
import type { ServeModel } from '../serve-model.js';

const REQUEST: RecordedRequest = {
  number: 1,
  at: 0,
  path: '/v1/messages',
  prompt: 'fix\nthe \u001b[31mlogin',
  purpose: 'turn',
  source: 'rule',
  api: 'anthropic-messages',
  model: 'claude-test',
  stream: true,
  system: '',
  messages: [],
  tools: [],
  body: {},
  wantsJson: false,
  outcome: 'answering',
  reply: {
    kind: 'answer',
    parts: [
      { kind: 'text', text: 'I look.' },
      { kind: 'call', name: 'Bash', text: '{}', isCustom: false },
    ],
    ending: { kind: 'cut' },
    usage: { input: 120, output: 3, cached: 0, written: 0 },
    delayMs: 0,
    paceMs: 0,
  },
};

/** Starts, gets one call and one other request, and ends. */
const shortServer: ServeModel = async (_request, { onReady, onRequest, onOther }) => {
  onReady('http://127.0.0.1:8787');
  onRequest(REQUEST);
  onOther({ method: 'GET', path: '/v1/models', status: 200 });
};

describe('devs debug model-server', () => {
  it('says how each agent finds it, and one line for each request', async () => {
    const { exitCode, stdout } = await createWorld({ serveModel: shortServer }).devs(['debug', 'model-server']);

    expect(exitCode).toBe(0);
    expect(stdout).toContain('  ANTHROPIC_BASE_URL=http://127.0.0.1:8787\n');
    expect(stdout).toContain(`  -c 'model_providers.scripted.base_url="http://127.0.0.1:8787/v1"'\n`);
    expect(stdout).toContain('  1  claude-test turn "fix↵the ␛[31mlogin" → text, Bash, cut; 120 + 3 tokens (rule)\n');
    expect(stdout).toContain('  ·  GET /v1/models → 200\n');
  });

  it('says the same as JSON', async () => {
    const { stdout } = await createWorld({ serveModel: shortServer }).devs(['debug', 'model-server', '--json']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

    expect(lines).toMatchObject([
      { event: 'model-server.started', url: 'http://127.0.0.1:8787' },
      { event: 'model-request.received', number: 1, prompt: REQUEST.prompt, reply: REQUEST.reply },
      { event: 'other-request.received', path: '/v1/models' },
    ]);
  });

  it('hands on what it is asked for', async () => {
    const asked: unknown[] = [];
    const serveModel: ServeModel = async (request) => void asked.push(request);
    await createWorld({ serveModel }).done(
      ...['debug', 'model-server', '--scenario', 's.yaml', '--port', '99', '--record', 'r', '--window', '5'],
      '--until-stdin-ends',
    );

    expect(asked).toMatchObject([
      { scenarioFile: 's.yaml', port: 99, recordFile: 'r', window: 5, untilStdinEnds: true },
    ]);
  });

  it.each([
    ['--port', '0'],
    ['--port', '70000'],
    ['--window', 'big'],
  ])('refuses %s %s', async (...argv) => {
    expect((await createWorld().devs(['debug', 'model-server', ...argv])).exitCode).toBe(2);
  });
});

describe('the real program', () => {
  function start(...args: readonly string[]) {
    const child = spawn(process.execPath, [DEVS, 'debug', 'model-server', '--json', ...args], { stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value as string);
    return { child, next, ended: once(child, 'exit') };
  }

  it('serves until its stdin ends', async () => {
    const { child, next, ended } = start('--until-stdin-ends', '--window', '1000');
    const { url } = await next();
    const ask = (content: string) =>
      fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify({ messages: [{ role: 'user', content }] }) });

    expect(await (await ask('@model say hello')).json()).toMatchObject({ content: [{ text: 'hello' }] });
    expect((await ask('word '.repeat(3_000))).status).toBe(400);
    expect(await next()).toMatchObject({ number: 1, source: 'directives' });
    expect(await next()).toMatchObject({ number: 2, source: 'window' });
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  it('ends well on Ctrl-C, also while an answer hangs', async () => {
    const { child, next, ended } = start();
    const { url } = await next();
    const body = JSON.stringify({ messages: [{ role: 'user', content: '@model hang' }] });
    const hanging = fetch(`${url}/v1/messages`, { method: 'POST', body }).catch(() => 'gone');
    await next();
    child.kill('SIGINT');

    expect(await ended).toEqual([0, null]);
    expect(await hanging).toBe('gone');
  });

  it('says what is wrong with a scenario', async () => {
    const { exitCode, stderr } = await runDevs(['debug', 'model-server', '--scenario', '/dev/null/nope.yaml']);

    expect(exitCode).toBe(1);
    expect(stderr).toContain('devs: the scenario /dev/null/nope.yaml cannot be used:\n  1:1  cannot be read: ENOTDIR');
  });

  it('says that a port is taken or a file cannot be written', async () => {
    const { next, child } = start('--until-stdin-ends');
    const { port } = new URL((await next()).url);
    const taken = await runDevs(['debug', 'model-server', '--port', port]);
    const unwritable = await runDevs(['debug', 'model-server', '--record', '/dev/null/x']);
    child.stdin.end();

    expect([taken.exitCode, taken.stderr]).toEqual([
      1,
      expect.stringContaining(`port ${port} cannot be used (EADDRINUSE)`),
    ]);
    expect([unwritable.exitCode, unwritable.stderr]).toEqual([
      1,
      expect.stringContaining('/dev/null/x cannot be written'),
    ]);
  });
});
