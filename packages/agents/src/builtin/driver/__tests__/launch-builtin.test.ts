import type { LaunchRequest } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { launchBuiltin } from '../launch-builtin.js';

const PROGRAM = ['/usr/bin/node', '/opt/devs.mjs', 'agent'];
const launch = (changes: Partial<LaunchRequest> = {}) =>
  launchBuiltin(PROGRAM, {
    folder: '/shop',
    home: '/home/anna',
    env: { PATH: '/bin', CLAUDECODE: '1' },
    userArgs: [],
    conversation: { kind: 'first', id: 'c-1' },
    privateFolder: '/private',
    ...changes,
  });

describe('starting the built-in agent', () => {
  it('names the conversation, and what only its user may read goes into files', () => {
    const plan = launch({
      systemPrompt: 'BASE',
      firstPrompt: '-- do it',
      mcpServers: { devs: { command: 'node', args: ['x'], env: { TOKEN: 'secret' } } },
    });
    expect(plan).toMatchObject({ command: '/usr/bin/node', conversationId: 'c-1', manner: 'conversation', notes: [] });
    expect(plan.args).toEqual([
      ...['/opt/devs.mjs', 'agent', '--conversation', 'c-1'],
      ...['--system-prompt-file', '/private/system-prompt.md', '--mcp-config', '/private/mcp.json'],
      ...['--', '-- do it'],
    ]);
    expect(JSON.stringify(plan.args)).not.toContain('secret');
    expect(plan.privateFiles.map(({ path }) => path)).toEqual(['/private/system-prompt.md', '/private/mcp.json']);
    expect(plan.env).toEqual({ PATH: '/bin' });
  });

  it("keeps the user's options at every launch, and what he asked for at the first only [H18]", () => {
    const userArgs = ['--provider', 'anthropic', '--allow', 'npm test', '--allow', 'git', 'Fix', 'it'];
    expect(launch({ userArgs }).args.slice(-2)).toEqual(['--', 'Fix\n\nit']);
    const fresh = launch({ userArgs, conversation: { kind: 'fresh', id: 'c-2' }, firstPrompt: 'Go on.' });
    expect(fresh.args.slice(2)).toEqual([
      ...['--conversation', 'c-2', '--provider', 'anthropic', '--allow', 'npm test', '--allow', 'git', '--', 'Go on.'],
    ]);
  });

  it('opens the conversation that the user named, and later the one that it is told', () => {
    const userArgs = ['--resume', 'mine'];
    expect(launch({ userArgs })).toMatchObject({ conversationId: 'mine' });
    const again = launch({ userArgs, conversation: { kind: 'resume', id: 'c-9' } });
    expect(again.args.filter((word) => word === '--resume')).toHaveLength(1);
    expect(again).toMatchObject({ conversationId: 'c-9' });
  });

  it('takes over what was changed by hand', () => {
    const { args } = launch({ userArgs: ['--model', 'old'], settings: { model: 'new', permissionMode: 'deny' } });
    expect(args.slice(-4)).toEqual(['--model', 'new', '--permissions', 'deny']);
    expect(args).not.toContain('old');
  });

  it('passes on a request for help as it is', () => {
    expect(launch({ userArgs: ['--help'] })).toMatchObject({
      manner: 'one-off',
      args: ['/opt/devs.mjs', 'agent', '--help'],
    });
  });
});
