import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentEvent, type LaunchRequest, readInput, type ScreenView } from '@devs/core';
import { until } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGeminiDriver } from '../create-gemini-driver.js';
import { GEMINI_INPUT, readGeminiScreen } from '../gemini-screen.js';

const ID = '11111111-2222-4333-8444-555555555555';
const driver = createGeminiDriver({ clock: Date, everyMs: 20 });
const launch = (changes: Partial<LaunchRequest> = {}) =>
  driver.launch({
    folder: '/work',
    home: '/home/u',
    env: { PATH: '/bin', GEMINI_API_KEY: 'a-key' },
    userArgs: ['-m', 'gemini-2.5-pro'],
    conversation: { kind: 'fresh', id: ID },
    privateFolder: '/private',
    ...changes,
  });

const view = (lines: readonly string[], title = ''): ScreenView => ({
  ...{ columns: 80, rows: [], cursor: { row: 0, column: 0 }, bracketedPaste: true, alternateScreen: false },
  lines,
  title,
});
const BOX = ['▄▄▄▄▄▄▄▄▄▄', ' > Do it', '   at once', '▀▀▀▀▀▀▀▀▀▀', ' workspace (/directory)   sandbox'];

describe('how Gemini CLI is started', () => {
  it('has what is ours in the lowest layer of its settings, and no secret in its command line', async () => {
    const server = { command: 'node', args: ['mcp.js'], env: { TOKEN: 'secret' } };
    const plan = await launch({ mcpServers: { devs: server }, systemPrompt: 'Be kind.', trustsFolder: true });
    expect(plan.args).toEqual(['-m', 'gemini-2.5-pro', '--session-id', ID, '--skip-trust']);
    expect(plan.env.GEMINI_CLI_SYSTEM_DEFAULTS_PATH).toBe('/private/gemini-defaults.json');
    const [defaults, instructions] = plan.privateFiles.map(({ text }) => JSON.parse(text));
    expect(defaults).toMatchObject({
      security: { auth: { selectedType: 'gemini-api-key' } },
      mcpServers: { devs: { ...server, trust: true } },
    });
    expect(defaults.hooks.SessionStart[0].hooks[0].command).toContain('/private/gemini-instructions.json');
    expect(instructions.hookSpecificOutput.additionalContext).toBe('Be kind.');
  });

  it.each<[string, Partial<LaunchRequest>, readonly string[]]>([
    ['again', { conversation: { kind: 'resume', id: ID } }, ['-m', 'gemini-2.5-pro', '--resume', ID]],
    ['with a prompt', { firstPrompt: 'Go' }, ['-m', 'gemini-2.5-pro', '--session-id', ID, '--prompt-interactive=Go']],
    [
      'by a user who names the conversation',
      { userArgs: ['--resume', 'latest'], conversation: { kind: 'first', id: ID } },
      ['--resume', 'latest'],
    ],
  ])('is opened %s', async (_how, changes, args) => {
    expect((await launch(changes)).args).toEqual(args);
  });

  it.each([['-p', 'Say it'], ['mcp', 'list'], ['--version']])('leaves %s %s alone', async (...userArgs) => {
    expect(await launch({ userArgs })).toMatchObject({ manner: 'one-off', args: userArgs });
  });
});

describe('the screen of Gemini CLI', () => {
  it.each([
    ['Do it\nat once', 'ours'],
    ['Another', 'other'],
  ])('tells whose draft it is: %j', (text, draft) => {
    expect(readInput(view(BOX), text, GEMINI_INPUT)).toMatchObject({ prompt: 'drawn', draft });
  });

  it.each([
    [' >   Type your message or @path/to/file', 'Anything', 'empty'],
    [' > [Pasted Text: 12 lines]', 'x\n'.repeat(11), 'ours'],
    [` > [Pasted Text: 600 chars]`, 'x'.repeat(600), 'ours'],
    [` > [Pasted Text: 600 chars]`, 'x'.repeat(601), 'other'],
  ])('knows %j', (line, text, draft) => {
    expect(readInput(view([line, '▀▀▀▀▀▀▀▀']), text, GEMINI_INPUT).draft).toBe(draft);
  });

  it.each([
    [['│ Allow execution of [Shell]?', '│ ● 1. Allow once'], 'waiting'],
    [['│   ● 2. Use Gemini API Key'], 'waiting'],
    [[' ⠋ Thinking... (esc to cancel, 3s)', ...BOX], 'busy'],
    [BOX, 'not-busy'],
    [['Loading'], 'unknown'],
  ])('says what the agent does: %j', (lines, says) => {
    expect(readGeminiScreen(view(lines)).says).toBe(says);
  });
});

describe('a Gemini CLI that is watched', () => {
  const open = () => {
    const home = mkdtempSync(join(tmpdir(), 'devs-gemini-'));
    const chats = join(home, '.gemini', 'tmp', 'work', 'chats');
    mkdirSync(chats, { recursive: true });
    writeFileSync(join(home, '.gemini', 'projects.json'), JSON.stringify({ projects: { '/work': 'work' } }));
    const events: AgentEvent[] = [];
    const place = { folder: '/work', home, env: {}, pid: process.pid, startedAt: Date.now(), args: [] };
    const watch = driver.watch({ ...place, conversationId: ID, onEvent: (event) => void events.push(event) });
    onTestFinished(() => {
      watch.close();
      rmSync(home, { recursive: true, force: true });
    });
    const begin = (name: string, sessionId: string) => {
      const path = join(chats, `session-${name}-${sessionId.slice(0, 8)}.jsonl`);
      const startTime = new Date().toISOString();
      writeFileSync(path, `${JSON.stringify({ sessionId, projectHash: 'x', startTime, kind: 'main' })}\n`);
      return (record: object) =>
        appendFileSync(path, `${JSON.stringify({ timestamp: new Date().toISOString(), ...record })}\n`);
    };
    const told = <Type extends AgentEvent['type']>(type: Type) =>
      events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
    return { watch, begin, told };
  };
  const prompt = { id: 'u1', type: 'user', content: [{ text: 'Do it' }] };
  const tokens = { input: 1_000, output: 5, cached: 0, total: 1_005 };
  const answer = { id: 'g1', type: 'gemini', content: 'Done.', tokens, model: 'gemini-3-pro' };

  it('ends its turn where its title says so, and is as full as its last call says', async () => {
    const { watch, begin, told } = open();
    const write = begin('2026-11-18T10-00', ID);
    watch.seeScreen(view(BOX, '✦  Working… (work)'));
    write(prompt);
    write(answer);
    await until(() => told('usage.measured').length === 1);
    expect(told('usage.measured')[0]).toMatchObject({ usage: { usedTokens: 1_005, windowTokens: 1_048_576 } });
    expect(told('turn.ended')).toEqual([]);
    watch.seeScreen(view(BOX, '◇  Ready (work)'));
    await until(() => told('turn.ended').length === 1);
  });

  it('is interrupted, refused and compacted by its own records', async () => {
    const { begin, told } = open();
    const write = begin('2026-11-18T10-00', ID);
    write(prompt);
    write({ id: 'i1', type: 'info', content: 'Request cancelled.' });
    await until(() => told('turn.interrupted').length === 1);
    write({ id: 'e1', type: 'error', content: '[API Error: {"error":{"code":401,"status":"UNAUTHENTICATED"}}]' });
    await until(() => told('error.reported')[0]?.kind === 'login');
    const summary = { type: 'user', content: [{ text: '<state_snapshot>All is well.</state_snapshot>' }] };
    write({ $set: { messages: [summary] } });
    write({ $set: { messages: [summary] } });
    await until(() => told('compaction.seen').length === 1);
  });

  it('follows the conversation that a clear began', async () => {
    const { begin, told } = open();
    begin('2026-11-18T10-00', ID)(prompt);
    await until(() => told('conversation.grew').length === 1);
    const next = ID.replace(/^1/, '2');
    begin('2026-11-18T10-01', next)(prompt);
    await until(() => told('conversation.changed').some(({ conversationId }) => conversationId === next));
    expect(told('conversation.changed').at(-1)).toMatchObject({ before: ID });
  });
});
