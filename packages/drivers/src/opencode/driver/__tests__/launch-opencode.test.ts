import type { LaunchRequest } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { launchOpencode } from '../launch-opencode.js';

const REQUEST: LaunchRequest = {
  folder: '/project',
  home: '/home/anna',
  env: { PATH: '/bin', CLAUDECODE: '1' },
  userArgs: [],
  conversation: { kind: 'first', id: 'ours' },
  privateFolder: '/private/one',
};

const configOf = ({ env }: { readonly env: Readonly<Record<string, string>> }) =>
  JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '{}') as object;

describe('launching opencode', () => {
  it('starts its server on loopback, with a password of this launch that is on no command line', async () => {
    const [one, other] = [await launchOpencode(REQUEST), await launchOpencode(REQUEST)];
    expect(one.args).toEqual(['--port', expect.stringMatching(/^\d+$/), '--hostname', '127.0.0.1']);
    expect(one.env).toMatchObject({ PATH: '/bin', OPENCODE_SERVER_USERNAME: 'opencode' });
    expect(one.env).not.toHaveProperty('CLAUDECODE');
    expect(one.env.OPENCODE_SERVER_PASSWORD).not.toBe(other.env.OPENCODE_SERVER_PASSWORD);
    expect(one.privateFiles).toEqual([
      {
        path: '/private/one/opencode-server.json',
        text: JSON.stringify({ port: Number(one.args[1]), password: one.env.OPENCODE_SERVER_PASSWORD }),
      },
    ]);
  });

  it('leaves the first prompt to its server', async () => {
    const plan = await launchOpencode({ ...REQUEST, firstPrompt: 'Secret words' });
    expect(JSON.stringify([plan.args, plan.privateFiles])).not.toContain('Secret words');
  });

  it("adds its own beside the user's settings", async () => {
    const theirs = { instructions: ['mine.md'], mcp: { memo: { type: 'local' } }, permission: 'ask' };
    const plan = await launchOpencode({
      ...REQUEST,
      env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(theirs) },
      systemPrompt: 'Be brief.',
      mcpServers: { devs: { command: 'node', args: ['devs.mjs', 'mcp'], env: { KEY: 'k' } } },
      unattended: true,
    });
    expect(configOf(plan)).toEqual({
      instructions: ['mine.md', '/private/one/instructions.md'],
      mcp: {
        memo: { type: 'local' },
        devs: { type: 'local', command: ['node', 'devs.mjs', 'mcp'], environment: { KEY: 'k' }, enabled: true },
      },
      permission: { '*': 'ask', question: 'deny' },
    });
    expect(plan.privateFiles.map(({ text }) => text)).toContain('Be brief.\n');
  });

  it('leaves a configuration that is not plain JSON as it is, and says so', async () => {
    const plan = await launchOpencode({
      ...REQUEST,
      env: { OPENCODE_CONFIG_CONTENT: '// mine' },
      systemPrompt: 'Be brief.',
    });
    expect(plan.env.OPENCODE_CONFIG_CONTENT).toBe('// mine');
    expect(plan.notes).toEqual([expect.stringContaining('is not plain JSON')]);
  });

  it('opens a conversation again with the settings that were last in force, and not what was for the first launch', async () => {
    const plan = await launchOpencode({
      ...REQUEST,
      userArgs: ['--continue', '--prompt', 'Begin', '--model', 'a/b', '--port', '4096'],
      conversation: { kind: 'resume', id: 'ses_1' },
      settings: { model: 'c/d', permissionMode: 'plan' },
    });
    expect(plan.conversationId).toBe('ses_1');
    expect(plan.args).toEqual('--model c/d --agent plan --port 4096 --hostname 127.0.0.1 --session ses_1'.split(' '));
  });

  it.each([[['serve']], [['--help']], [['run', 'Fix it']]])('leaves %j as it is', async (userArgs) => {
    expect(await launchOpencode({ ...REQUEST, userArgs })).toMatchObject({ args: userArgs, manner: 'one-off' });
  });
});
