import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyClient, clients } from './clients.js';
import { scratchFolder } from './table-server.js';

const errorOf = (error: string, code: string) => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify({ error, code }, null, 2) }],
});

describe.each(Object.entries(clients))('%s', (_name, connect) => {
  const scratch = scratchFolder();
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect(scratch.command);
    await client.listTools(); // From now on the client holds every answer against the tool's schema.
  });
  afterAll(async () => {
    await client.close();
    scratch[Symbol.dispose]();
  });

  it('learns who it talks to, what to know and which tools there are', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'table', version: '1.2.3' });
    expect(client.getInstructions()).toBe('Call echo first.');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(tools.find(({ name }) => name === 'echo')).toEqual({
      name: 'echo',
      title: 'echo',
      description: 'The tool echo',
      annotations: { readOnlyHint: true },
      _meta: { 'anthropic/alwaysLoad': true }, // Claude Code hides tools behind a search otherwise
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
    });
  });

  it('gets the answer as text and as an object', async () => {
    expect(await client.callTool({ name: 'echo', arguments: { text: 'häl\nlo' } })).toMatchObject({
      content: [{ type: 'text', text: JSON.stringify({ text: 'häl\nlo' }, null, 2) }],
      structuredContent: { text: 'häl\nlo' },
    });
  });

  it('gets either branch of a union', async () => {
    const choose = (kind: string) => client.callTool({ name: 'choose', arguments: { kind } });
    expect(await choose('step')).toMatchObject({ structuredContent: { step: 'plan' } });
    expect(await choose('action')).toMatchObject({ structuredContent: { contextAction: '/compact' } });
  });

  it('learns which argument is wrong and what is allowed', async () => {
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    expect(await call('echo', { text: 7 })).toMatchObject(errorOf('text must be a string', 'INVALID_ARGUMENTS'));
    expect(await call('choose', { kind: 'x' })).toMatchObject(
      errorOf('kind must be one of "step", "action"', 'INVALID_ARGUMENTS'),
    );
    expect(await call('count', { to: 'three' })).toMatchObject(
      errorOf('to must be a whole number, as in 3', 'INVALID_ARGUMENTS'),
    );
    expect(await client.callTool({ name: 'echo' })).toMatchObject({ isError: true });
  });

  it('reads the message of an error that a tool throws, with its code', async () => {
    const message = 'Workflow not started. Call workflow_start first.';
    expect(await client.callTool({ name: 'refuse', arguments: { code: 'NOT_STARTED' } })).toMatchObject(
      errorOf(message, 'NOT_STARTED'),
    );
    expect(await client.callTool({ name: 'refuse', arguments: {} })).toMatchObject(errorOf(message, 'TOOL_ERROR'));
  });

  it('is not shown a result that breaks the promise of the tool', async () => {
    expect(await client.callTool({ name: 'lie', arguments: {} })).toMatchObject(
      errorOf('lie made a result that it must not make; this is a bug in the server', 'INTERNAL'),
    );
    expect(await client.callTool({ name: 'echo', arguments: { text: 'on' } })).toMatchObject({
      structuredContent: { text: 'on' },
    });
  });

  it('learns which tools exist when it calls an unknown one', async () => {
    await expect(client.callTool({ name: 'ecko' })).rejects.toThrow(
      'there is no tool "ecko"; the tools are: echo, count',
    );
  });
});
