import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseScenario } from '../../scenario/parse-scenario.js';
import { startModelServer } from '../start-model-server.js';
import { serve } from './serve.js';

const message = (content: string) =>
  JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] });
const post = (url: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/messages`, { method: 'POST', body, headers });
const text = async (response: Response) => (await response.json()) as { content: { text: string }[] };

describe('the server', () => {
  it('reports requests of agents in a neutral form', async () => {
    const seen: number[] = [];
    const { server } = await serve('', { onRequest: ({ number }) => seen.push(number) });
    await post(
      server.url,
      JSON.stringify({
        model: 'm',
        system: [{ type: 'text', text: 'Be brief.' }],
        tools: [{ name: 'Bash', input_schema: {} }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
          { role: 'system', content: 'Be kind.' },
        ],
        metadata: { user_id: 'session-1' },
      }),
    );

    expect(seen).toEqual([1]);
    expect(server.requests()).toMatchObject([
      {
        number: 1,
        at: Date.UTC(2026, 0, 1),
        api: 'anthropic-messages',
        path: '/v1/messages',
        prompt: 'Hello',
        system: 'Be brief.\n\nBe kind.',
        tools: [{ name: 'Bash', kind: 'function' }],
        conversationId: 'session-1',
        source: 'default',
        outcome: 'answered',
      },
    ]);
  });

  it('gives the same ids again in the same order', async () => {
    const answers = await Promise.all(
      [1, 2].map(async () => {
        const { server } = await serve();
        return (await post(server.url, message('@model tool A'))).text();
      }),
    );

    expect(answers[0]).toContain('msg_00000001');
    expect(answers[1]).toBe(answers[0]);
  });

  it('keeps the newest requests within its limits, and always the last', async () => {
    const { server } = await serve('', { keep: { requests: 3, bytes: 1_000 } });
    for (let number = 0; number < 5; number++) await post(server.url, message('a'));
    expect(server.requests().map(({ number }) => number)).toEqual([3, 4, 5]);
    await post(server.url, message('a'.repeat(5_000)));
    expect(server.requests().map(({ number }) => number)).toEqual([6]);
  });

  it('appends each request to a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'devs-model-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const record = join(folder, 'requests.jsonl');
    const { server } = await serve('', { record });
    await post(server.url, message('a'));
    await post(server.url, message('@model error 500'));

    const lines = readFileSync(record, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { number: 1, purpose: 'turn', body: { model: 'm' }, reply: { kind: 'answer' } },
      { number: 2, reply: { kind: 'refusal' } },
    ]);
    expect(statSync(record).mode & 0o777).toBe(0o600);
  });

  it('switches to another scenario on request', async () => {
    const { server } = await serve('default: one');
    const said = async () => (await text(await post(server.url, message('p')))).content[0]?.text;

    const first = await said();
    server.play(parseScenario('default: two'));
    expect([first, await said()]).toEqual(['one', 'two']);
  });

  it('takes compressed requests', async () => {
    const { server } = await serve();
    const response = await post(server.url, new Uint8Array(gzipSync(message('@model say zip'))), {
      'content-encoding': 'gzip',
    });
    expect((await text(response)).content[0]?.text).toBe('zip');
  });

  it.each([
    ['no JSON', '{', {}, 400],
    ['no object', '[]', {}, 400],
    ['an unknown encoding', '{}', { 'content-encoding': 'zstd' }, 415],
  ])('refuses %s', async (_what, body, headers, status) => {
    const { server } = await serve();
    expect((await post(server.url, body, headers)).status).toBe(status);
  });

  it('answers nonsense in the right form with an answer', async () => {
    const { server } = await serve();
    const body = '{"model":7,"messages":[null,{"role":"x","content":[{"type":"tool_use"},5]}],"tools":"no"}';
    for (const path of ['/v1/messages', '/v1/responses', '/v1/chat/completions']) {
      expect((await fetch(`${server.url}${path}`, { method: 'POST', body })).status).toBe(200);
    }
  });

  it('lists the known paths for an unknown one', async () => {
    const { server } = await serve();
    const response = await fetch(`${server.url}/v2/other`);
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('/v1/messages')]);
    expect(server.others()).toEqual([{ method: 'GET', path: '/v2/other', status: 404 }]);
  });

  it('refuses pages of other hosts', async () => {
    const { server } = await serve();
    const status = await new Promise((resolve, reject) => {
      const options = { port: server.port, host: '127.0.0.1', headers: { host: 'evil.example' } };
      httpRequest(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });

  it('closes at once, also in the middle of an answer, and twice', async () => {
    const server = await startModelServer();
    const hanging = fetch(`${server.url}/v1/messages`, { method: 'POST', body: message('@model delay 60m') });
    await expect.poll(() => server.requests().length).toBe(1);
    await Promise.all([server.close(), server.close()]);

    await expect(hanging).rejects.toThrow();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('rejects where the port is taken', async () => {
    const { server } = await serve();
    await expect(startModelServer({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
