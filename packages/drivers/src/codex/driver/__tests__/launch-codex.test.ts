import type { JsonObject, LaunchRequest } from '@devs/core';
import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { launchCodex } from '../launch-codex.js';

const ID = '01a1e293-2080-7991-808e-c2d7cc2df972';
const request = (changes: Partial<LaunchRequest> = {}): LaunchRequest => ({
  folder: '/work',
  home: '/home/u',
  env: { PATH: '/bin', CODEX_HOME: '/x', CODEX_THREAD_ID: 'of another' },
  userArgs: [],
  conversation: { kind: 'first', id: 'not ours to choose' },
  privateFolder: '/private',
  ...changes,
});
const configured = (values: JsonObject | undefined) => async () => (values === undefined ? undefined : { values });
const launch = (changes: Partial<LaunchRequest>, config: JsonObject | undefined = {}) =>
  launchCodex(request(changes), configured(config));

describe('starting Codex', () => {
  it('adds nothing where nothing is asked for, and cannot choose the conversation', async () => {
    expect(await launch({ userArgs: ['-m', 'o9', 'fix the bug'] })).toEqual({
      command: 'codex',
      args: ['-m', 'o9', '--', 'fix the bug'],
      env: { PATH: '/bin', CODEX_HOME: '/x' },
      privateFiles: [],
      manner: 'conversation',
      notes: [],
    });
  });

  it('[H18] puts MCP servers beside those of the user, with their secrets in the environment', async () => {
    const mcpServers = { devs: { command: 'devs', args: ['mcp', 'a "b"'], env: { DEVS_TOKEN: 'secret' } } };
    const plan = await launch({ mcpServers, userArgs: ['-c', 'mcp_servers.mine.command="x"'] });

    expect(plan.args).toEqual([
      '-c',
      'mcp_servers.mine.command="x"',
      '-c',
      'mcp_servers.devs.command="devs"',
      '-c',
      'mcp_servers.devs.args=["mcp", "a \\"b\\""]',
      '-c',
      'mcp_servers.devs.default_tools_approval_mode="approve"',
      '-c',
      'mcp_servers.devs.env_vars=["DEVS_TOKEN"]',
    ]);
    expect(plan.env.DEVS_TOKEN).toBe('secret');
  });

  it('[H23] marks the folder as trusted if the user told devs so, for any folder name', async () => {
    const plan = await launch({ trustsFolder: true, folder: '/work/a.b "c"' });

    expect(plan.args).toEqual(['-c', 'projects={"/work/a.b \\"c\\""={trust_level="trusted"}}']);
    expect((await launch({})).args).toEqual([]);
  });

  it('switches off notices in front of its prompt if no user is watching', async () => {
    const { args } = await launch({ unattended: true });

    expect(args).toContain('check_for_update_on_startup=false');
  });

  it('leaves out an MCP server whose name would be another key', async () => {
    const plan = await launch({ mcpServers: { 'a.b': { command: 'x', args: [] } } });

    expect([plan.args, plan.notes.length]).toEqual([[], 1]);
  });

  it("[H4] puts the user's instructions before ours", async () => {
    const userArgs = ['-c', 'developer_instructions="old"', '--config=model="x"'];
    const plan = await launch({ systemPrompt: 'OURS', userArgs }, { developer_instructions: 'THEIR "own"\nwords\n' });

    expect(plan.args).toEqual([
      '--config=model="x"',
      '-c',
      'developer_instructions="THEIR \\"own\\"\\nwords\\n\\nOURS"',
    ]);
  });

  it('replaces nothing unreadable, and starts the prompt with our instructions instead', async () => {
    const plan = await launchCodex(
      request({ systemPrompt: 'OURS', userArgs: ['fix'], firstPrompt: 'go' }),
      configured(undefined),
    );

    expect(plan.args).toEqual(['--', 'fix\n\nOURS\n\ngo']);
    expect(plan.notes).toHaveLength(1);
  });

  it('puts instructions into a file that are too long for an argument', async () => {
    const plan = await launch({ systemPrompt: 'x'.repeat(200_000) });

    expect(plan.args[1]).toBe(
      'developer_instructions="[devs] Read all of /private/instructions.md and do what it says."',
    );
    expect(plan.privateFiles).toMatchObject([{ path: '/private/instructions.md' }]);
  });

  it.each([
    { userArgs: ['resume', '--last'], args: ['resume', '--last'] },
    { userArgs: ['resume', 'abc', 'go on'], args: ['resume', '--', 'abc', 'go on'] },
    { userArgs: ['-m', 'x', 'fork', 'abc'], args: ['fork', '-m', 'x', '--', 'abc'] },
    { userArgs: ['-i', 'a.png', 'b.png', '--', 'look'], args: ['-i', 'a.png', 'b.png', '--', 'look'] },
  ])('opens the conversation that the user asked for: $userArgs', async ({ userArgs, args }) => {
    expect((await launch({ userArgs })).args).toEqual(args);
  });

  it("leaves the user's first request out of a later launch", async () => {
    const userArgs = ['resume', '--last', '-m', 'x', '-i', 'a.png', '--', 'look at this'];
    const fresh = await launch({ userArgs, conversation: { kind: 'fresh', id: '' }, firstPrompt: 'go on' });
    const resumed = await launch({ userArgs, conversation: { kind: 'resume', id: ID } });

    expect(fresh.args).toEqual(['-m', 'x', '--', 'go on']);
    expect([resumed.args, resumed.conversationId]).toEqual([['resume', '-m', 'x', '--', ID], ID]);
  });

  it('[H18] continues with the last permission mode, and never with more', async () => {
    const userArgs = ['--dangerously-bypass-approvals-and-sandbox', '-m', 'old', '-c', 'model_reasoning_effort="low"'];
    const settings = { permissionMode: 'on-request/read-only', model: 'new', effort: 'high' };
    const plan = await launch({ userArgs, settings, conversation: { kind: 'fresh', id: '' } });

    expect(plan.args).toEqual([
      '-m',
      'new',
      '-c',
      'model_reasoning_effort="high"',
      '-a',
      'on-request',
      '-s',
      'read-only',
    ]);
  });

  it.each([['exec', 'hello'], ['mcp', 'list'], ['--version'], ['login']])(
    'passes on a non-interactive call: %s %s',
    async (...words) => {
      const userArgs = words.filter((word) => word !== undefined);

      expect(await launch({ systemPrompt: 'OURS', userArgs })).toMatchObject({ args: userArgs, manner: 'one-off' });
    },
  );

  it('never trusts hooks in the name of the user', async () => {
    const plan = await launch({ hooks: { command: ['devs'], events: ['Stop'] } });

    expect([plan.args, plan.notes.length]).toEqual([[], 1]);
  });

  it('[H4] writes any text so that TOML reads the same, however often it is renewed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'grapheme' }),
        async (ours, theirs) => {
          const changes = { systemPrompt: ours, conversation: { kind: 'fresh', id: '' } } as const;
          const config = { developer_instructions: theirs };
          const [, given = ''] = (await launch(changes, config)).args;
          const [, again = ''] = (await launch(changes, config)).args;
          // TOML's strings are those of JSON with fewer characters allowed as they are.
          const text = JSON.parse(given.slice('developer_instructions='.length));
          expect([...given].filter((character) => character < ' ' || character === '\u007f')).toEqual([]);
          expect(text).toBe((theirs.trim() === '' ? ours : `${theirs.trim()}\n\n${ours}`).replaceAll('\0', ''));
          expect(again).toBe(given);
        },
      ),
      { numRuns: rounds(200), seed: seed() },
    );
  });
});
