import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { serve } from './serve.js';

async function connect(scenario = '') {
  const { server } = await serve(scenario);
  return { server, client: new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'scripted', maxRetries: 0 }) };
}

describe("OpenAI's client of responses", () => {
  const MANY =
    '@model think hm\n@model say "Grüße 👋"\n@model tool exec_command {"cmd":"ls"}\n@model and tool apply_patch "*** Begin"';
  const tools: OpenAI.Responses.Tool[] = [
    { type: 'function', name: 'exec_command', parameters: {}, strict: false },
    { type: 'custom', name: 'apply_patch' },
  ];
  const OUTPUT = [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
    { type: 'message', content: [{ type: 'output_text', text: 'Grüße 👋' }] },
    { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}' },
    { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' },
  ];

  it('gets text, thoughts and calls of tools as a whole', async () => {
    const { client } = await connect();
    const response = await client.responses.create({ model: 'gpt-test', input: MANY, tools });

    expect(response).toMatchObject({ status: 'completed', output: OUTPUT, output_text: 'Grüße 👋' });
    expect(response.usage?.total_tokens).toBe(
      Number(response.usage?.input_tokens) + Number(response.usage?.output_tokens),
    );
  });

  it('gets the same piece by piece, its events numbered', async () => {
    const { client } = await connect();
    const stream = client.responses.stream({ model: 'gpt-test', input: MANY, tools });
    const numbers: number[] = [];
    let text = '';
    stream.on('event', ({ sequence_number }) => numbers.push(sequence_number));
    stream.on('response.output_text.delta', ({ delta }) => {
      text += delta;
    });

    expect(await stream.finalResponse()).toMatchObject({ status: 'completed', output: OUTPUT });
    expect(text).toBe('Grüße 👋');
    expect(numbers).toEqual(numbers.map((_number, index) => index));
  });

  it('goes through a script with the results of its tools', async () => {
    const { client, server } = await connect();
    const response = await client.responses.create({
      model: 'gpt-test',
      instructions: 'Be brief.',
      prompt_cache_key: 'thread-1',
      input: [
        { role: 'developer', content: 'Be kind.' },
        { role: 'user', content: '<environment_context>\n@model say no\n</environment_context>' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: '@model tool mcp__memo__recall {}\n@model usage input=9k\n@model say yes' },
          ],
        },
        { type: 'function_call', call_id: 'c1', namespace: 'mcp__memo', name: 'recall', arguments: '{}' } as never,
        { type: 'function_call_output', call_id: 'c1', output: 'nothing' },
      ],
    });

    expect(response).toMatchObject({ output_text: 'yes', usage: { input_tokens: 9_000 } });
    const [request] = server.requests();
    expect(request).toMatchObject({
      system: 'Be brief.\n\nBe kind.',
      conversationId: 'thread-1',
      source: 'directives',
    });
    expect(request?.messages.at(-1)?.results).toEqual([{ callId: 'c1', name: 'mcp__memo__recall', text: 'nothing' }]);
  });

  it('calls the tools of an MCP server in their namespace', async () => {
    const { client } = await connect();
    const { output } = await client.responses.create({ model: 'm', input: '@model tool mcp__memo__remember {"a":1}' });

    expect(output).toMatchObject([{ type: 'function_call', namespace: 'mcp__memo', name: 'remember' }]);
  });

  it('sees an answer that was cut off', async () => {
    const { client } = await connect();
    const response = await client.responses
      .stream({ model: 'm', input: '@model cut 4\n@model say "long text"' })
      .finalResponse();

    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output_text: 'long',
    });
  });

  it('learns in the stream that the prompt is too long', async () => {
    const { client } = await connect();
    const events = await client.responses.create({ model: 'm', input: '@model overflow', stream: true });
    const seen: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of events) seen.push(event);

    expect(seen.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'context_length_exceeded' } },
    });
  });

  it('gets errors by status', async () => {
    const { client } = await connect();
    await expect(client.responses.create({ model: 'm', input: '@model error 429' })).rejects.toThrow(
      OpenAI.RateLimitError,
    );
    await expect(client.responses.create({ model: 'm', input: '@model error 500' })).rejects.toThrow(
      OpenAI.InternalServerError,
    );
  });
});

describe("OpenAI's client of chat completions", () => {
  const ask = (content: string) => ({ model: 'chat-test', messages: [{ role: 'user' as const, content }] });
  const CALL = [{ type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }];
  const SCRIPT = '@model say "Grüße 👋"\n@model tool bash {"command":"ls"}';

  it('gets text and calls of tools as a whole', async () => {
    const { client } = await connect();
    const { choices, usage } = await client.chat.completions.create(ask(SCRIPT));

    expect(choices).toMatchObject([
      { finish_reason: 'tool_calls', message: { content: 'Grüße 👋', tool_calls: CALL } },
    ]);
    expect(usage?.total_tokens).toBeGreaterThan(0);
  });

  it('gets the same in pieces, with its usage', async () => {
    const { client } = await connect();
    const params = { ...ask(SCRIPT), stream_options: { include_usage: true } };
    const completion = await client.chat.completions.stream(params).finalChatCompletion();

    expect(completion.choices).toMatchObject([
      { finish_reason: 'tool_calls', message: { content: 'Grüße 👋', tool_calls: CALL } },
    ]);
    expect(completion.usage?.prompt_tokens).toBeGreaterThan(0);
  });

  it('goes through a script with the results of its tools', async () => {
    const { client, server } = await connect();
    const { choices } = await client.chat.completions.create({
      model: 'chat-test',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: `"${SCRIPT.replaceAll('"', '\\"')}\n@model say \\"so be it\\""` },
        { role: 'assistant', content: 'x', tool_calls: [{ id: 'c1', ...CALL[0] } as never] },
        { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
      ],
    });

    expect(choices[0]?.message.content).toBe('so be it');
    expect(server.requests()[0]).toMatchObject({ system: 'Be brief.', tools: [], model: 'chat-test' });
  });

  it('sees what goes wrong', async () => {
    const { client, server } = await connect('window: 500');
    const cut = await client.chat.completions.create(ask('@model cut 4\n@model say "long text"'));
    expect(cut.choices).toMatchObject([{ finish_reason: 'length', message: { content: 'long' } }]);
    await expect(client.chat.completions.create(ask('word '.repeat(2_000)))).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
    await expect(
      client.chat.completions.stream(ask('@model drop 2\n@model say abc')).finalChatCompletion(),
    ).rejects.toThrow();
    const stream = client.chat.completions.stream(ask('@model hang 2\n@model say abc'));
    stream.on('content', () => stream.abort());
    await expect(stream.finalChatCompletion()).rejects.toThrow(OpenAI.APIUserAbortError);
    await expect.poll(() => server.requests().at(-1)?.outcome).toBe('abandoned');
  });

  it('can list models', async () => {
    const { client } = await connect();
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['devs-scripted']);
  });
});
