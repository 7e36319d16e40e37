import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SILENT_ADDRESS } from '@devs/core/testing';
import { startModelServer } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runDevs } from '../../__tests__/run-devs.js';
import { endTurn, envelope } from './builtin-world.js';
import { startProvider } from './provider-server.js';

function openFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-agent-command-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    ANTHROPIC_API_KEY: '',
    OPENAI_API_KEY: '',
  };
  const devs = (args: readonly string[], more: Record<string, string> = {}, input = '') =>
    runDevs(['agent', ...args], { cwd: folder, env: { ...env, ...more }, input });
  return { folder, devs };
}

/** The prompt says what the model answers first; everything else ends the turn. */
const asks = (first: string) => `Please.\n@model say ${JSON.stringify(first)}`;

describe('devs agent', () => {
  it('ends with 1 without a model, and says how to get one', async () => {
    const { devs } = openFolder();
    const { exitCode, stderr } = await devs(['Hello']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^devs: there is no model, so nothing was done: set ANTHROPIC_API_KEY or OPENAI_API_KEY/);
  });

  it.each([
    ['ANTHROPIC', '', '/v1/messages m'],
    ['OPENAI', '/v1', '/v1/chat/completions m'],
  ])('calls the server that %s_BASE_URL names', async (name, path, call) => {
    const { devs } = openFolder();
    const server = await startProvider({ says: endTurn('Hello.') });
    const env = { [`${name}_API_KEY`]: 'k', [`${name}_BASE_URL`]: `${server.url}${path}` };
    const { exitCode } = await devs(['--model', 'm', 'Hi'], env);
    expect({ exitCode, calls: server.calls }).toEqual({ exitCode: 0, calls: [`POST ${call}`] });
  });

  it('ends with 1 without a prompt', async () => {
    const { devs } = openFolder();
    const server = await startProvider({ says: endTurn('Hello.') });
    const { exitCode, stdout } = await devs(['--base-url', server.url], { ANTHROPIC_API_KEY: 'k' });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringContaining('Missing prompt.') });
  });

  it.each([
    [
      'ANTHROPIC_API_KEY',
      '',
      ['claude-opus-9', 'claude-sonnet-7', 'claude-sonnet-4-5'],
      '/v1/messages claude-sonnet-7',
    ],
    ['OPENAI_API_KEY', '/v1', ['gpt-7-terra', 'gpt-6.1-terra', 'tts'], '/v1/chat/completions gpt-7-terra'],
  ])('uses the key in %s, and asks for its models once', async (key, path, models, call) => {
    const { devs } = openFolder();
    const server = await startProvider({ models, says: endTurn('Hello.') });

    for (const prompt of ['One', 'Two']) {
      const { exitCode, stdout, stderr } = await devs(['--base-url', `${server.url}${path}`, prompt], {
        [key]: 'own-key',
      });
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('Hello.') });
      expect(stderr).not.toContain('deprecated');
    }

    expect(server.calls).toEqual(['GET /v1/models', `POST ${call}`, `POST ${call}`]);
    expect(new Set(server.keys).size).toBe(1);
    expect(server.keys[0]).toContain('own-key');
  });

  it.each([
    [401, 'invalid x-api-key', 'The API key was refused (401). Put a valid key into ANTHROPIC_API_KEY'],
    [404, 'model: m', 'anthropic has no model m (404). Name another with --model'],
  ])('names a refusal with %i in one line and ends with 1', { tags: 'long' }, async (status, message, says) => {
    const { devs } = openFolder();
    const server = await startProvider({ refuses: { status, message } });
    const { exitCode, stdout } = await devs([
      '--base-url',
      server.url,
      '--model',
      'm',
      '--provider',
      'anthropic',
      'Go',
    ]);
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').filter((line) => line.includes(`(${status})`))).toEqual([expect.stringContaining(says)]);
    expect(server.calls).toHaveLength(1);
  });

  it('names a server that cannot be reached and ends with 1', async () => {
    const { devs } = openFolder();
    const url = `http://${SILENT_ADDRESS}`;
    const { exitCode, stdout } = await devs(['--base-url', url, 'Go'], { ANTHROPIC_API_KEY: 'k' });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`${url} cannot be reached: connection refused (ECONNREFUSED)`);
  });

  it('leaves its screen to the agent: no library writes a warning there', { tags: 'long' }, async () => {
    const { devs } = openFolder();
    const server = await startProvider({ says: endTurn('Hello.') });
    const args = [
      '--provider',
      'anthropic',
      '--base-url',
      server.url,
      '--model',
      'claude-sonnet-4-5',
      '--sandbox',
      'off',
    ];
    expect(await devs([...args, 'Go'])).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([
    ['anthropic', ''],
    ['openai', '/v1'],
  ])(
    'works with a model behind the API of %s, at any address, on one prompt from stdin',
    { tags: 'long' },
    async (provider, path) => {
      const { folder, devs } = openFolder();
      const scenario = { scale: 1, rules: [], default: [{ kind: 'say' as const, text: endTurn('It is written.') }] };
      const server = await startModelServer({ scenario });
      onTestFinished(() => server.close());
      const args = [
        '--provider',
        provider,
        '--base-url',
        `${server.url}${path}`,
        '--model',
        'm',
        '--permissions',
        'allow',
      ];
      const prompt = asks(envelope('write_file', { path: 'a.ts', content: 'export {};\n' }));

      const { exitCode, stdout } = await devs(args, {}, prompt);
      expect({ exitCode, written: readFileSync(join(folder, 'a.ts'), 'utf8') }).toEqual({
        exitCode: 0,
        written: 'export {};\n',
      });
      expect(stdout).toContain('It is written.');
      const [first, second] = server.requests();
      expect(first?.system).toContain('SAOP envelope');
      expect(second?.messages.at(-1)?.text).toMatch(/^OBSERVATION \{"tool_name":"write_file","status":"ok"/);
    },
  );

  it('takes keys and its prompt from files that are gone then, and no command can read them from its process', {
    tags: 'long',
  }, async () => {
    const { folder, devs } = openFolder();
    const heard: (string | string[] | undefined)[] = [];
    const look = envelope('run_command', {
      command: ['/bin/sh', '-c', 'cat /proc/$PPID/environ /proc/$PPID/cmdline; env'],
    });
    const answers = [look, endTurn('Looked.')];
    const server = createServer((request, response) => {
      heard.push(request.headers.authorization);
      const text = JSON.stringify({
        choices: [{ index: 0, delta: { content: answers.shift() }, finish_reason: 'stop' }],
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${text}\n\ndata: [DONE]\n\n`);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const [keys, prompt] = [join(folder, 'keys.json'), join(folder, 'prompt.md')];
    writeFileSync(keys, JSON.stringify({ OPENAI_API_KEY: 'planted-key' }));
    writeFileSync(prompt, `planted-prompt ${'word '.repeat(60_000)}`);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const model = ['--provider', 'openai', '--model', 'm', '--base-url', url, '--window', '1000000'];
    const own = ['--permissions', 'allow', '--sandbox', 'off', '--keys-file', keys, '--prompt-file', prompt];

    expect(await devs([...model, ...own])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Looked.') });
    expect(heard).toEqual(['Bearer planted-key', 'Bearer planted-key']);
    expect(readdirSync(folder)).not.toContain('keys.json');
    expect(readdirSync(folder)).not.toContain('prompt.md');
    const transcripts = readdirSync(join(folder, 'state'), { recursive: true, encoding: 'utf8' });
    const lines = readFileSync(
      join(folder, 'state', transcripts.find((name) => name.endsWith('.jsonl')) ?? ''),
      'utf8',
    );
    const answer = lines.split('\n').find((line) => line.includes('"type":"answer"'));
    expect(answer).toContain('PATH=');
    expect(answer).not.toContain('planted');
  });

  it('does nothing that needs a permission if no user can answer', async () => {
    const { folder, devs } = openFolder();
    const scenario = join(folder, 's.json');
    writeFileSync(scenario, JSON.stringify({ default: endTurn('Then not.') }));
    const { stdout } = await devs(
      ['--scenario', scenario],
      {},
      asks(envelope('write_file', { path: 'a.ts', content: '' })),
    );
    expect(stdout).toContain('denied');
    expect(readdirSync(folder)).not.toContain('a.ts');
  });

  it.each([
    [['--provider', 'nobody', 'x'], 2, "no provider 'nobody'"],
    [['--provider', 'openai', 'x'], 1, 'OPENAI_API_KEY is not set'],
    [['--provider', 'scripted', 'x'], 2, '--provider scripted needs --scenario FILE'],
    [['--provider', 'anthropic', 'x'], 1, 'ANTHROPIC_API_KEY is not set'],
    [['--permissions', 'maybe', 'x'], 2, '--permissions is one of'],
    [['--window', 'wide', 'x'], 2, '--window'],
    [['--resume', 'nobody', '--base-url', 'http://127.0.0.1:1', '--model', 'm', 'x'], 1, 'no conversation nobody'],
    [['--resume', '../x', 'x'], 2, 'cannot be the id'],
    [['--mcp-config', 'none.json', 'x'], 1, 'none.json cannot be read'],
    [['--scenario', 'none.yaml', 'x'], 1, 'none.yaml'],
  ])('refuses %j with %i and says what to do', { tags: 'long' }, async (args, code, says) => {
    const { devs } = openFolder();
    const { exitCode, stderr } = await devs(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(says) });
    expect(stderr).toMatch(/^devs: /);
    expect(stderr).not.toContain('please report');
  });
});
