import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent, LaunchRequest } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClaudeCodeDriver } from '../create-claude-code-driver.js';

const ID = '11111111-2222-4333-8444-555555555555';
const HOLDER = ['/usr/bin/node', 'devs.mjs', 'stream-json'];
const KEY = { PATH: '/bin', ANTHROPIC_API_KEY: 'a-key' };
const driver = createClaudeCodeDriver({ clock: Date, holder: HOLDER });

const launch = (changes: Partial<LaunchRequest> = {}) =>
  driver.launch({
    folder: '/work',
    home: '/home/u',
    env: KEY,
    userArgs: ['--model', 'opus'],
    conversation: { kind: 'fresh', id: ID },
    privateFolder: '/private',
    unattended: true,
    transport: 'auto',
    ...changes,
  });

describe('a Claude Code that is held by stream-json', () => {
  it('is started behind a program of devs, with the rules of the user and its prompt in a file', async () => {
    const permissions = { mode: 'ask', allow: ['npm test'], ask: [], deny: ['git push'] } as const;
    const plan = await launch({ firstPrompt: 'Do it', permissions });

    expect(plan).toEqual({
      command: '/usr/bin/node',
      args: [
        ...['devs.mjs', 'stream-json', '--name', 'claude', '--conversation', ID],
        ...['--permissions', 'ask', '--allow', 'npm test', '--deny', 'git push'],
        ...['--prompt-file', '/private/first-prompt.md', '--refused-file', '/private/stream-refused.txt'],
        ...['--', 'claude', `--session-id=${ID}`, '--model', 'opus'],
        ...['--print', '--input-format=stream-json', '--output-format=stream-json', '--verbose'],
        ...['--replay-user-messages', '--permission-prompt-tool=stdio'],
      ],
      env: expect.objectContaining(KEY),
      conversationId: ID,
      privateFiles: [{ path: '/private/first-prompt.md', text: 'Do it', isOnce: true }],
      manner: 'conversation',
      notes: [],
    });
  });

  it('opens its conversation again under the same id', async () => {
    const { args, conversationId } = await launch({ conversation: { kind: 'resume', id: ID } });

    expect(args).toContain(`--resume=${ID}`);
    expect(conversationId).toBe(ID);
  });

  it.each<[string, boolean, Partial<LaunchRequest>]>([
    ['with a key', true, {}],
    ['with a subscription', false, { env: {} }],
    ['with a subscription, by choice', true, { env: {}, transport: 'stream' }],
    ['with a key, not by choice', false, { transport: 'terminal' }],
    ['where the caller says nothing', false, { transport: undefined as never }],
    ['in front of a person', false, { unattended: false, transport: 'stream' }],
  ])('is used only in runs that may: %s', async (_when, isUsed, changes) => {
    expect((await launch(changes)).command).toBe(isUsed ? '/usr/bin/node' : 'claude');
  });

  it('is used where a program of the user gives the key', async () => {
    const home = mkdtempSync(join(tmpdir(), 'devs-helper-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ apiKeyHelper: 'my-key' }));

    expect((await launch({ env: {}, home })).command).toBe('/usr/bin/node');
  });

  it('is typed into with a warning after it was found not to speak stream-json', async () => {
    const privateFolder = mkdtempSync(join(tmpdir(), 'devs-refused-'));
    onTestFinished(() => rmSync(privateFolder, { recursive: true }));
    writeFileSync(join(privateFolder, 'stream-refused.txt'), 'claude does not speak stream-json: unknown option');

    expect((await launch({ privateFolder })).command).toBe('claude');
    const events: AgentEvent[] = [];
    const place = { folder: '/work', home: '/home/u', env: {}, pid: 1, program: '/usr/bin/claude', privateFolder };
    const onEvent = (event: AgentEvent) => void events.push(event);
    expect(driver.channel?.({ ...place, write: async () => 'written', onEvent })).toBeUndefined();
    expect(events).toMatchObject([
      { type: 'channel.failed', detail: expect.stringContaining('does not speak stream-json: unknown option') },
    ]);
  });

  it('has a channel, which a Claude Code on its own screen has not', () => {
    const request = { folder: '/work', home: '/home/u', env: {}, pid: 1, write: async () => 'written' as const };

    expect(driver.channel?.({ ...request, program: '/opt/node' })).toBeDefined();
    expect(driver.channel?.({ ...request, program: '/usr/bin/claude' })).toBeUndefined();
    expect(driver.channel?.(request)).toBeUndefined();
  });
});
