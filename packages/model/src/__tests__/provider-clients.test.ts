import type { LlmAnswer, LlmClient } from '@devs/core';
import { SILENT_ADDRESS } from '@devs/core/testing';
import { startModelServer } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAnthropicClient } from '../create-anthropic-client.js';
import { createOpenAiClient } from '../create-openai-client.js';
import { ModelCallError } from '../model-call-error.js';
import type { ProviderClientOptions } from '../provider-client.js';

type Create = (options: ProviderClientOptions) => LlmClient;

const PROVIDERS: readonly { name: string; create: Create; path: string; done: string; cut: string }[] = [
  { name: 'anthropic', create: createAnthropicClient, path: '', done: 'end_turn', cut: 'max_tokens' },
  { name: 'openai', create: createOpenAiClient, path: '/v1', done: 'stop', cut: 'length' },
];

describe.each(PROVIDERS)('the client of $name', ({ create, path, done, cut }) => {
  /** A client of a scripted server, and how long it waited between tries. */
  const open = async (changes: Partial<ProviderClientOptions> = {}) => {
    const server = await startModelServer();
    onTestFinished(() => server.close());
    const waits: number[] = [];
    const client = create({
      model: 'some-model',
      apiKey: 'key',
      baseUrl: `${server.url}${path}`,
      sleep: async (ms) => void waits.push(ms),
      random: () => 1,
      ...changes,
    });
    return { server, waits, client };
  };

  it('streams an answer, with its usage and why it ended', async () => {
    const { client, server } = await open({ system: 'You are terse.' });
    const answer = await client.complete(
      'Hello\n@model pace 1ms\n@model usage input=1200 output=7\n@model say "Hi there, you."',
      {
        history: [
          { role: 'user', text: 'before' },
          { role: 'assistant', text: 'yes' },
        ],
      },
    );

    expect(answer).toEqual({ text: 'Hi there, you.', stopReason: done, usage: { inputTokens: 1200, outputTokens: 7 } });
    const [request] = server.requests();
    expect(request).toMatchObject({ system: 'You are terse.', model: 'some-model', stream: true });
    expect(request?.messages.filter(({ role }) => role !== 'system').map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  it('puts messages of the same side together: some servers take turns only', async () => {
    const { client, server } = await open();
    await client.complete('second', { history: [{ role: 'user', text: 'first' }] });
    expect(
      server
        .requests()[0]
        ?.messages.filter(({ role }) => role === 'user')
        .map(({ text }) => text),
    ).toEqual(['first\n\nsecond']);
  });

  it('says of an answer that was cut off that it was', async () => {
    const { client } = await open();
    const answer = (await client.complete('@model say "0123456789"\n@model cut 4')) as LlmAnswer;
    expect(answer).toMatchObject({ text: '0123', stopReason: cut });
  });

  it.each([500, 503, 529])('asks again after status %i, and waits longer each time', async (status) => {
    const { client, waits } = await open();
    const answer = await client.complete(`@model error ${status} times=3\n@model say "At last."`);
    expect(answer).toMatchObject({ text: 'At last.' });
    expect(waits).toEqual([1_000, 2_000, 4_000]);
  });

  it('waits as long as the provider says after status 429', async () => {
    const { client, waits } = await open();
    expect(await client.complete('@model error 429 retry-after=7 times=1\n@model say "Go on."')).toMatchObject({
      text: 'Go on.',
    });
    expect(waits).toEqual([7_000]);
  });

  it('does not wait for a limit that lasts for hours, and reports its length', async () => {
    const { client, waits } = await open();
    const error = await client.complete('@model error 429 retry-after=7200').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelCallError);
    expect(error).toMatchObject({ status: 429, retryAfterMs: 7_200_000, code: 'MODEL_FAILED' });
    expect(waits).toEqual([]);
  });

  it('gives up after several attempts, with the last error', async () => {
    const { client, server } = await open({ retry: { retries: 2, firstDelayMs: 1, mostDelayMs: 1 } });
    await expect(client.complete('@model error 503')).rejects.toMatchObject({ status: 503 });
    expect(server.requests()).toHaveLength(3);
  });

  it('does not ask again where that cannot help', async () => {
    const { client, server } = await open();
    await expect(client.complete('@model error 401 message="no such key"')).rejects.toMatchObject({ status: 401 });
    expect(server.requests()).toHaveLength(1);
  });

  it('asks again when the connection breaks in the middle of an answer', async () => {
    const { client } = await open();
    expect(await client.complete('@model drop 3 times=1\n@model say "Whole again."')).toMatchObject({
      text: 'Whole again.',
    });
  });

  it('asks again when nothing comes any more', async () => {
    const { client } = await open({ silenceMs: 150 });
    expect(await client.complete('@model hang 3 times=1\n@model say "Here again."')).toMatchObject({
      text: 'Here again.',
    });
  });

  it('names a server that cannot be reached for a reason without a code', async () => {
    const baseUrl = `http://127.0.0.1:9${path}`; // a port that fetch refuses
    const { client } = await open({ baseUrl });
    await expect(client.complete('Hello')).rejects.toMatchObject({
      message: `${baseUrl} cannot be reached: bad port`,
      isUnreachable: true,
    });
  });

  it('names a server that cannot be reached, and why', async () => {
    const baseUrl = `http://${SILENT_ADDRESS}${path}`;
    const { client, waits } = await open({ baseUrl });
    await expect(client.complete('Hello')).rejects.toMatchObject({
      message: `${baseUrl} cannot be reached: connection refused (ECONNREFUSED)`,
      isUnreachable: true,
    });
    expect(waits).toHaveLength(2);
  });

  it('stops at once, with the reason, when it is aborted: in an answer and between two tries', async () => {
    const reason = new Error('enough');
    const hanging = await open();
    const first = new AbortController();
    const answer = hanging.client.complete('@model hang', { signal: first.signal });
    first.abort(reason);
    await expect(answer).rejects.toBe(reason);

    const second = new AbortController();
    const { client } = await open({
      sleep: async (_, signal) => {
        second.abort(reason);
        signal.throwIfAborted();
      },
    });
    await expect(client.complete('@model error 503', { signal: second.signal })).rejects.toBe(reason);
  });

  it('reports a prompt that is too long as such', async () => {
    const { client } = await open();
    await expect(client.complete('@model overflow times=9')).rejects.toMatchObject({ status: 400 });
  });
});
