import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '@devs/model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runDevs } from '../../__tests__/run-devs.js';
import { endTurn, envelope } from './builtin-world.js';

function openFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-agent-command-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { XDG_STATE_HOME: join(folder, 'state'), ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '' };
  const devs = (args: readonly string[], more: Record<string, string> = {}, input = '') =>
    runDevs(['agent', ...args], { cwd: folder, env: { ...env, ...more }, input });
  return { folder, devs };
}

/** The prompt says what the model answers first; everything else ends the turn. */
const asks = (first: string) => `Please.\n@model say ${JSON.stringify(first)}`;

describe('devs agent', () => {
  it('says without a model that it is a script, and how to name one', async () => {
    const { devs } = openFolder();
    const { exitCode, stdout } = await devs(['Hello']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/I am a script[\s\S]*ANTHROPIC_API_KEY/);
  });

  it.each([
    ['anthropic', ''],
    ['openai', '/v1'],
  ])('works with a model behind the API of %s, at any address, on one prompt from stdin', async (provider, path) => {
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
  });

  it('takes keys and its prompt from files that are gone then, and no command can read them from its process', async () => {
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

  it('does nothing that would have to be asked for where nobody can answer', async () => {
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
    [['--provider', 'openai', 'x'], 2, '--model'],
    [['--provider', 'anthropic', 'x'], 1, 'ANTHROPIC_API_KEY is not set'],
    [['--permissions', 'maybe', 'x'], 2, '--permissions is one of'],
    [['--window', 'wide', 'x'], 2, '--window'],
    [['--resume', 'nobody', 'x'], 1, 'no conversation nobody'],
    [['--resume', '../x', 'x'], 2, 'cannot be the id'],
    [['--mcp-config', 'none.json', 'x'], 1, 'none.json cannot be read'],
    [['--scenario', 'none.yaml', 'x'], 1, 'none.yaml'],
  ])('refuses %j with %i and says what to do', async (args, code, says) => {
    const { devs } = openFolder();
    const { exitCode, stderr } = await devs(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(says) });
    expect(stderr).toMatch(/^devs: /);
    expect(stderr).not.toContain('please report');
  });
});
