import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LlmClient } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBoundedFetch } from '../bounded-fetch.js';
import { createAnthropicClient } from '../create-anthropic-client.js';
import { createOpenAiClient } from '../create-openai-client.js';
import { ModelCallError } from '../model-call-error.js';
import type { ProviderClientOptions } from '../provider-client.js';

const PROVIDERS: readonly { name: string; create: (options: ProviderClientOptions) => LlmClient }[] = [
  { name: 'anthropic', create: createAnthropicClient },
  { name: 'openai', create: createOpenAiClient },
];

/** Sends the same bytes until the client hangs up. Gives how many were sent. */
async function startEndlessServer(status: number, piece: string) {
  let sent = 0;
  const pump = (response: ServerResponse) => {
    while (!response.destroyed && response.write(piece)) sent += piece.length;
    response.once('drain', () => pump(response));
  };
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'text/plain' });
    pump(response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => sent };
}

const PIECE = 'x'.repeat(65_536);
const NO_RETRIES = { retries: 0, firstDelayMs: 1, mostDelayMs: 1 };

describe.each(PROVIDERS)('the client of $name, before a server that never stops', ({ create }) => {
  const open = async (status: number, piece: string) => {
    const server = await startEndlessServer(status, piece);
    return { server, client: create({ model: 'm', apiKey: 'key', baseUrl: server.url, retry: NO_RETRIES }) };
  };

  it('reads the beginning of an error body only, and says it shortly', async () => {
    const { client, server } = await open(500, PIECE);
    const error = await client.complete('Hello').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelCallError);
    expect(error).toMatchObject({ status: 500 });
    expect((error as Error).message.length).toBeLessThan(2_100);
    expect(server.sent()).toBeLessThan(64_000_000);
  });

  it('aborts a line without an end', async () => {
    const { client } = await open(200, PIECE);
    await expect(client.complete('Hello')).rejects.toThrow(/a line of more than \d+ MB/);
  });

  it('hears an interruption while the answer pours in', async () => {
    const { client, server } = await open(200, ': keep alive\n');
    const interruption = new AbortController();
    const running = client.complete('Hello', { signal: interruption.signal });
    const heard = expect(running).rejects.toThrow('enough');
    while (server.sent() === 0) await new Promise((resolve) => setImmediate(resolve));
    interruption.abort(new Error('enough'));
    await heard;
  });
});

describe('a fetch with bounds', () => {
  const bodyOf = (text: string, status = 200) =>
    createBoundedFetch({ lineBytes: 10, answerBytes: 30, errorBytes: 5 }, async () => new Response(text, { status }));

  it.each([
    ['an answer within all bounds', 'ten bytes\nand more\n'],
    ['an empty answer', ''],
    ['lines that end in the middle of a piece', '1234567890\n1234567890\n'],
  ])('passes on %s as it is', async (_what, text) => {
    expect(await (await bodyOf(text)('http://model')).text()).toBe(text);
  });

  it('fails in the middle of a line that is too long', async () => {
    await expect((await bodyOf('12345678901')('http://model')).text()).rejects.toThrow('a line of more than');
  });

  it('fails in an answer that is too long, however short its lines are', async () => {
    await expect((await bodyOf('12345\n'.repeat(6))('http://model')).text()).rejects.toThrow('an answer of more than');
  });

  it('cuts the body of an error', async () => {
    const response = await bodyOf('1234567890', 503)('http://model');
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('12345');
  });
});
