import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { serve } from './serve.js';

const BASH: Anthropic.Tool = {
  name: 'Bash',
  input_schema: { type: 'object', properties: { command: { type: 'string' } } },
};

async function connect(scenario = '', maxRetries = 0) {
  const { server, slept } = await serve(scenario);
  const client = new Anthropic({ baseURL: server.url, apiKey: 'scripted', maxRetries });
  const ask = (prompt: string, more: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}) => ({
    model: 'claude-test',
    max_tokens: 1_000,
    messages: [{ role: 'user' as const, content: prompt }],
    ...more,
  });
  return { server, slept, client, ask };
}

describe("Anthropic's client", () => {
  it.each(['stream', 'whole'] as const)('gets text, thoughts and calls of tools: %s', async (how) => {
    const { client, ask } = await connect();
    const params = ask(
      '@model think hm\n@model say "Grüße 👋"\n@model tool Bash {"command":"ls"}\n@model and tool Bash {"command":"pwd"}',
      { tools: [BASH] },
    );
    const message =
      how === 'whole' ? await client.messages.create(params) : await client.messages.stream(params).finalMessage();

    expect(message).toMatchObject({
      role: 'assistant',
      model: 'claude-test',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Grüße 👋' },
        { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
        { type: 'tool_use', name: 'Bash', input: { command: 'pwd' } },
      ],
    });
    const ids = message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    expect(new Set(ids).size).toBe(2);
  });

  it('goes through a script with the results of its tools', async () => {
    const { client, ask, server } = await connect();
    const prompt = '@model tool Bash {"command":"ls"}\n@model usage input=50k output=9\n@model say "All done."';
    const first = await client.messages.create(ask(prompt));
    const results = first.content.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: [{ type: 'text' as const, text: 'a.txt' }] }]
        : [],
    );
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: prompt },
      { role: 'assistant', content: first.content },
      { role: 'user', content: results },
    ];
    const last = await client.messages.stream(ask('', { messages })).finalMessage();

    expect(last).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text', text: 'All done.' }] });
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = last.usage;
    expect(input_tokens + Number(cache_creation_input_tokens) + Number(cache_read_input_tokens)).toBe(50_000);
    expect(Number(cache_read_input_tokens)).toBeGreaterThan(0);
    expect(output_tokens).toBe(9);
    expect(server.requests().at(-1)?.messages.at(-1)?.results).toEqual([
      { callId: expect.any(String), name: 'Bash', text: 'a.txt' },
    ]);
  });

  it('sees an answer that was cut off', async () => {
    const { client, ask } = await connect();
    const message = await client.messages.stream(ask('@model cut 4\n@model say "long text"')).finalMessage();

    expect(message).toMatchObject({ stop_reason: 'max_tokens', content: [{ type: 'text', text: 'long' }] });
  });

  it('gets the error of the API for every status', async () => {
    const { client, ask } = await connect();
    const caught = async (prompt: string) => client.messages.create(ask(prompt)).catch((error: unknown) => error);

    expect(await caught('@model error 529')).toMatchObject({
      status: 529,
      error: { error: { type: 'overloaded_error' } },
    });
    expect(await caught('@model error 401')).toBeInstanceOf(Anthropic.AuthenticationError);
    const limited = await caught('@model error 429 message="Not now" retry-after=30');
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
    expect((limited as InstanceType<typeof Anthropic.RateLimitError>).headers?.get('retry-after')).toBe('30');
    expect(await caught('@model nonsense')).toMatchObject({
      status: 400,
      message: expect.stringContaining('nonsense'),
    });
  });

  it('tries again by itself until the error is over', async () => {
    const { client, ask, server } = await connect('', 2);
    const message = await client.messages.create(ask('@model error 529 times=2 retry-after=0\n@model say back'));

    expect(message.content).toEqual([{ type: 'text', text: 'back' }]);
    expect(server.requests().map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'answered']);
  });

  it('gets an error in the middle of a stream', async () => {
    const { client, ask } = await connect();
    const stream = client.messages.stream(ask('@model error 529 after=3\n@model say "abcdef"'));
    let text = '';
    stream.on('text', (delta) => {
      text += delta;
    });

    await expect(stream.finalMessage()).rejects.toThrow('overloaded_error');
    expect(text).toBe('abc');
  });

  it('notices that the connection broke', async () => {
    const { client, ask, server } = await connect();
    await expect(client.messages.stream(ask('@model drop 3\n@model say abcdef')).finalMessage()).rejects.toThrow();
    await expect(client.messages.create(ask('@model drop'))).rejects.toThrow(Anthropic.APIConnectionError);
    expect(server.requests().map(({ outcome }) => outcome)).toEqual(['broken', 'broken']);
  });

  it('may go away in the middle of a stream', async () => {
    const { client, ask, server } = await connect();
    const stream = client.messages.stream(ask('@model hang 3\n@model say abcdef'));
    stream.on('text', () => stream.abort());

    await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIUserAbortError);
    await expect.poll(() => server.requests()[0]?.outcome).toBe('abandoned');
    await expect(client.messages.create(ask('@model say "still there"'))).resolves.toBeDefined();
  });

  it("learns in the API's own words that the prompt is too long", async () => {
    const { client, ask } = await connect('window: 1000');
    await expect(client.messages.create(ask('word '.repeat(2_000)))).rejects.toThrow(
      /prompt is too long: \d+ tokens > 1000 maximum/,
    );
    await expect(client.messages.create(ask('short'))).resolves.toBeDefined();
  });

  it('can count tokens and list models', async () => {
    const { client, server } = await connect();
    const params = { model: 'm', messages: [{ role: 'user' as const, content: 'one two three four' }] };

    expect((await client.messages.countTokens(params)).input_tokens).toBeGreaterThan(3);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['devs-scripted']);
    expect((await client.models.retrieve('claude-test')).id).toBe('claude-test');
    expect(server.others().map(({ path, status }) => [path, status])).toEqual([
      ['/v1/messages/count_tokens', 200],
      ['/v1/models', 200],
      ['/v1/models/claude-test', 200],
    ]);
  });

  it('waits as long as the script says', async () => {
    const { client, ask, slept } = await connect();
    await client.messages
      .stream(ask('@model delay 2s\n@model pace 30ms\n@model say "0123456789abcdef0123"'))
      .finalMessage();

    expect(slept).toEqual([2_000, 30, 30]);
  });
});
