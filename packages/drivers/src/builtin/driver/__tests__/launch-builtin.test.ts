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
      ...['--prompt-file', '/private/first-prompt.md'],
      ...['--system-prompt-file', '/private/system-prompt.md', '--mcp-config', '/private/mcp.json'],
    ]);
    expect(JSON.stringify(plan.args)).not.toContain('secret');
    expect(plan.privateFiles.map(({ path }) => path)).toEqual([
      ...['/private/first-prompt.md', '/private/system-prompt.md', '/private/mcp.json'],
    ]);
    expect(plan.privateFiles[0]).toEqual({ path: '/private/first-prompt.md', text: '-- do it', isOnce: true });
    expect(plan.env).toEqual({ PATH: '/bin' });
  });

  it("keeps the user's options at every launch, and their request at the first only [H18]", () => {
    const userArgs = ['--provider', 'anthropic', '--allow', 'npm test', '--allow', 'git', 'Fix', 'it'];
    expect(launch({ userArgs }).privateFiles).toMatchObject([{ text: 'Fix\n\nit' }]);
    const fresh = launch({ userArgs, conversation: { kind: 'fresh', id: 'c-2' }, firstPrompt: 'Go on.' });
    expect(fresh.args.slice(2)).toEqual([
      ...['--conversation', 'c-2', '--prompt-file', '/private/first-prompt.md'],
      ...['--provider', 'anthropic', '--allow', 'npm test', '--allow', 'git'],
    ]);
    expect(fresh.privateFiles).toMatchObject([{ text: 'Go on.' }]);
  });

  it('gives it the keys of models in a file that it removes, and no address of the store', () => {
    const env = { PATH: '/bin', ANTHROPIC_API_KEY: 'key-1', GEMINI_API_KEY: 'key-2', DEVS_STORE: 'redis://:word@host' };
    const plan = launch({ env, userArgs: ['--keys-file', '/elsewhere'] });
    expect(plan.env).toEqual({ PATH: '/bin' });
    expect(plan.args.slice(2)).toEqual(['--conversation', 'c-1', '--keys-file', '/private/keys.json']);
    expect(plan.privateFiles).toEqual([
      { path: '/private/keys.json', text: '{"ANTHROPIC_API_KEY":"key-1","GEMINI_API_KEY":"key-2"}', isOnce: true },
    ]);
  });

  it('puts a prompt of any length into a file', () => {
    const firstPrompt = 'word '.repeat(80_000);
    const plan = launch({ firstPrompt });
    expect(plan.args.join(' ').length).toBeLessThan(1_000);
    expect(plan.privateFiles).toMatchObject([{ text: firstPrompt }]);
  });

  it('opens the conversation that the user named, and later the given one', () => {
    const userArgs = ['--resume', 'mine'];
    expect(launch({ userArgs })).toMatchObject({ conversationId: 'mine' });
    const again = launch({ userArgs, conversation: { kind: 'resume', id: 'c-9' } });
    expect(again.args.filter((word) => word === '--resume')).toHaveLength(1);
    expect(again).toMatchObject({ conversationId: 'c-9' });
  });

  it('applies settings changed by hand', () => {
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
