import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaunchRequest } from '@devs/core';
import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launchClaude } from '../launch-claude.js';

const ID = '11111111-2222-4333-8444-555555555555';
const request = (changes: Partial<LaunchRequest> = {}): LaunchRequest => ({
  folder: '/work',
  home: '/home/u',
  env: { PATH: '/bin' },
  userArgs: [],
  conversation: { kind: 'first', id: ID },
  privateFolder: '/private',
  ...changes,
});
const HOOKS = { command: ['devs', 'hook', 'claude-code'], events: ['SessionStart', 'Stop'], timeoutSeconds: 10 };
const OURS = {
  systemPrompt: 'OURS',
  mcpServers: { devs: { command: 'devs', args: ['mcp'], env: { DEVS_TOKEN: 'secret' } } },
  hooks: HOOKS,
};

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'devs-launch-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

describe('starting Claude Code', () => {
  it('adds nothing but the id of the conversation where nothing is asked for', async () => {
    expect(await launchClaude(request({ userArgs: ['--model', 'opus', 'fix the bug'] }))).toEqual({
      command: 'claude',
      args: [`--session-id=${ID}`, '--model', 'opus', 'fix the bug'],
      env: { PATH: '/bin' },
      conversationId: ID,
      privateFiles: [],
      manner: 'conversation',
      notes: [],
    });
  });

  it("[H18] passes our additions in files beside the user's own, and no secret on the command line", async () => {
    const userArgs = ['--mcp-config', 'a.json', 'b.json', '--append-system-prompt', 'THEIRS', '--add-dir', '../lib'];
    const plan = await launchClaude(request({ ...OURS, userArgs }));

    expect(plan.args).toEqual([
      `--session-id=${ID}`,
      '--append-system-prompt-file=/private/system-prompt.md',
      '--settings=/private/settings.json',
      '--mcp-config=/private/mcp.json',
      '--allowedTools=mcp__devs',
      ...userArgs,
    ]);
    expect(plan.args.join(' ')).not.toContain('secret');
    expect(plan.privateFiles.map(({ path, text }) => [path, path.endsWith('.json') ? JSON.parse(text) : text])).toEqual(
      [
        ['/private/system-prompt.md', 'OURS'],
        [
          '/private/settings.json',
          {
            hooks: {
              SessionStart: [{ hooks: [{ type: 'command', command: 'devs hook claude-code', timeout: 10 }] }],
              Stop: [{ hooks: [{ type: 'command', command: 'devs hook claude-code', timeout: 10 }] }],
            },
          },
        ],
        [
          '/private/mcp.json',
          { mcpServers: { devs: { type: 'stdio', command: 'devs', args: ['mcp'], env: { DEVS_TOKEN: 'secret' } } } },
        ],
      ],
    );
  });

  it("allows our own tools beside the user's, so that no permission prompt stops them", async () => {
    const userArgs = ['--allowedTools', 'Bash(npm test)', '--', 'fix it'];
    const { args } = await launchClaude(request({ mcpServers: OURS.mcpServers, userArgs }));

    expect(args).toEqual([
      `--session-id=${ID}`,
      '--mcp-config=/private/mcp.json',
      '--allowedTools=mcp__devs',
      ...userArgs,
    ]);
  });

  it('[H23] marks the folder as trusted only if the user told devs so, and changes no file of the user', async () => {
    const trusting = await launchClaude(request({ trustsFolder: true }));

    expect([trusting.env.CLAUDE_CODE_SANDBOXED, trusting.privateFiles]).toEqual(['1', []]);
    expect((await launchClaude(request({ unattended: true }))).env).not.toHaveProperty('CLAUDE_CODE_SANDBOXED');
  });

  it('switches off what only a person wants to see, unless the user wants it', async () => {
    const { env } = await launchClaude(request({ unattended: true }));
    expect(env).toMatchObject({ CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '1' });

    const own = await launchClaude(request({ unattended: true, env: { CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '0' } }));
    expect(own.env).toMatchObject({ CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '0' });
  });

  describe('without a person, for a user who has chosen a permission mode', () => {
    const ACCEPT = JSON.stringify({ permissions: { allow: ['Bash'], defaultMode: 'acceptEdits' } });
    const ofUser = (settings: string) => folder({ 'settings.json': settings });
    const settingsOf = async (changes: Partial<LaunchRequest>) => {
      const { privateFiles } = await launchClaude(request({ unattended: true, folder: folder({}), ...changes }));
      const file = privateFiles.find(({ path }) => path === '/private/settings.json');
      return file === undefined ? undefined : JSON.parse(file.text);
    };

    it('says it again, so that no dialog asks for another mode', async () => {
      const env = { CLAUDE_CONFIG_DIR: ofUser(ACCEPT) };

      expect(await settingsOf({ env })).toEqual({ permissions: { defaultMode: 'acceptEdits' } });
      expect(await settingsOf({ env, hooks: HOOKS })).toMatchObject({
        permissions: { defaultMode: 'acceptEdits' },
        hooks: { Stop: [{}] },
      });
      expect(await settingsOf({ env, unattended: false })).toBeUndefined();
    });

    it('leaves the mode to --settings and to the project where these name one', async () => {
      const env = { CLAUDE_CONFIG_DIR: ofUser(ACCEPT) };
      const project = folder({});
      mkdirSync(join(project, '.claude'));
      writeFileSync(join(project, '.claude', 'settings.local.json'), '{"permissions":{"defaultMode":"plan"}}');
      const userArgs = ['--settings', '{"permissions":{"defaultMode":"dontAsk","deny":["WebFetch"]}}'];

      expect(await settingsOf({ env, folder: project })).toBeUndefined();
      expect(await settingsOf({ env, userArgs })).toEqual({
        permissions: { defaultMode: 'dontAsk', deny: ['WebFetch'] },
      });
    });

    it.each(['{"permissions":{"defaultMode":"auto"}}', '{"permissions":{}}', 'no JSON'])(
      'adds nothing to %s',
      async (text) => {
        expect(await settingsOf({ env: { CLAUDE_CONFIG_DIR: ofUser(text) } })).toBeUndefined();
      },
    );
  });

  it('never shuts out the MCP servers of the user, unless they ask for it', async () => {
    const strict = await launchClaude(request({ ...OURS, userArgs: ['--strict-mcp-config'] }));
    const plain = await launchClaude(request(OURS));

    expect(plain.args).not.toContain('--strict-mcp-config');
    expect(strict.args.filter((arg) => arg === '--strict-mcp-config')).toHaveLength(1);
  });

  const theirs = { model: 'opus', hooks: { Stop: [{ matcher: '', hooks: [{ type: 'command', command: 'mine' }] }] } };
  it.each([
    { name: 'as JSON', userArgs: ['--settings', JSON.stringify(theirs)] },
    { name: 'as a file', userArgs: ['--settings', 'theirs.json'] },
    { name: 'twice, of which the last counts', userArgs: ['--settings={"model":"no"}', '--settings', 'theirs.json'] },
  ])('[H18] keeps the settings that the user gave $name, with their hooks once', async ({ userArgs }) => {
    const where = folder({ 'theirs.json': JSON.stringify(theirs) });
    const plan = await launchClaude(request({ hooks: HOOKS, userArgs, folder: where }));
    const settings = JSON.parse(plan.privateFiles[0]?.text ?? '');

    expect(plan.args.filter((arg) => arg.startsWith('--settings'))).toEqual(['--settings=/private/settings.json']);
    expect(settings.model).toBe('opus');
    expect(settings.hooks.Stop).toEqual([
      ...theirs.hooks.Stop,
      { hooks: [{ type: 'command', command: 'devs hook claude-code', timeout: 10 }] },
    ]);
  });

  it('leaves settings alone that cannot be read, and says what that costs', async () => {
    const plan = await launchClaude(request({ hooks: HOOKS, userArgs: ['--settings', 'nowhere.json'] }));

    expect(plan.args).toEqual([`--session-id=${ID}`, '--settings', 'nowhere.json']);
    expect(plan.notes).toEqual(['the --settings cannot be read: no hooks of devs were added']);
  });

  it('joins a prompt file of the user with ours, as only one is read', async () => {
    const where = folder({ 'mine.md': 'THEIRS\n' });
    const userArgs = ['--append-system-prompt-file', 'mine.md'];
    const plan = await launchClaude(request({ systemPrompt: 'OURS', userArgs, folder: where }));

    expect(plan.args).toEqual([`--session-id=${ID}`, '--append-system-prompt-file=/private/system-prompt.md']);
    expect(plan.privateFiles[0]?.text).toBe('THEIRS\n\nOURS');
  });

  it.each([
    { userArgs: ['-c'], kept: ['-c'], id: undefined },
    { userArgs: ['--resume', 'abc'], kept: ['--resume', 'abc'], id: undefined },
    { userArgs: ['--session-id', 'xyz'], kept: ['--session-id', 'xyz'], id: 'xyz' },
  ])('opens the conversation that the user asked for: $userArgs', async ({ userArgs, kept, id }) => {
    const plan = await launchClaude(request({ userArgs }));

    expect([plan.args, plan.conversationId]).toEqual([kept, id]);
  });

  it.each([
    { kind: 'fresh', first: `--session-id=${ID}` },
    { kind: 'resume', first: `--resume=${ID}` },
  ] as const)("leaves the user's first request out of a $kind launch", async ({ kind, first }) => {
    const userArgs = ['-c', '--fork-session', '--model', 'opus', '--allowedTools', 'Bash', '--', 'fix the bug'];
    const plan = await launchClaude(request({ userArgs, conversation: { kind, id: ID }, firstPrompt: 'go on' }));

    expect(plan.args).toEqual([first, '--model', 'opus', '--allowedTools', 'Bash', '--', 'go on']);
  });

  it("passes a prompt after the user's own, where no option can swallow it", async () => {
    const userArgs = ['fix the bug', '--allowedTools', 'Bash', 'Read'];
    const plan = await launchClaude(request({ userArgs, firstPrompt: '--looks like an option' }));

    expect(plan.args.slice(1)).toEqual([
      '--allowedTools',
      'Bash',
      'Read',
      '--',
      'fix the bug\n\n--looks like an option',
    ]);
  });

  it('puts a prompt into a file that is too long for an argument', async () => {
    const firstPrompt = 'x'.repeat(200_000);
    const plan = await launchClaude(request({ firstPrompt }));

    expect(plan.args.at(-1)).toBe('[devs] Read all of /private/first-prompt.md and do what it says.');
    expect(plan.privateFiles).toEqual([{ path: '/private/first-prompt.md', text: firstPrompt }]);
  });

  it('[H18] continues with the last permission mode, and never with more', async () => {
    const userArgs = ['--dangerously-skip-permissions', '--model', 'opus', '--effort', 'high'];
    const settings = { permissionMode: 'default', model: 'claude-sonnet-5-5' };
    const plan = await launchClaude(request({ userArgs, settings, conversation: { kind: 'fresh', id: ID } }));

    expect(plan.args).toEqual([
      `--session-id=${ID}`,
      '--model=claude-sonnet-5-5',
      '--permission-mode=default',
      '--effort',
      'high',
    ]);
  });

  it.each([['-p', 'hello'], ['mcp', 'list'], ['--version'], ['--bg', 'fix'], ['update']])(
    'passes on a non-interactive call: %s %s',
    async (...userArgs) => {
      const args = userArgs.filter((arg) => arg !== undefined);

      expect(await launchClaude(request({ ...OURS, userArgs: args }))).toMatchObject({ args, manner: 'one-off' });
    },
  );

  it('[H9] sets no threshold of compaction, and says so where the user has one below ours', async () => {
    const quiet = await launchClaude(request({ ...OURS, env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '80' } }));
    const low = await launchClaude(request({ env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' } }));
    const off = await launchClaude(request({ env: { DISABLE_AUTO_COMPACT: '1' } }));

    expect([quiet.env, quiet.notes]).toEqual([{ CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '80' }, []]);
    expect(low.notes).toEqual([expect.stringContaining('before devs renews it')]);
    expect(off.notes).toEqual([expect.stringContaining('compacts nothing by itself')]);
  });

  it("[H4] [H18] loses nothing of the user's over ten renewals, and nothing of ours piles up", async () => {
    const option = fc.oneof(
      fc.tuple(fc.constantFrom('--model', '--agent', '-n', '--append-system-prompt', '--plugin-dir'), word()),
      fc.tuple(fc.constantFrom('--add-dir', '--allowedTools', '--mcp-config'), word(), word()),
      fc.tuple(fc.constantFrom('--verbose', '--strict-mcp-config', '--unknown-flag')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(option, { maxLength: 6 }), async (options) => {
        const userArgs = options.flat();
        const plans = [];
        for (let renewal = 0; renewal < 10; renewal++) {
          const conversation = { kind: 'fresh', id: ID } as const;
          plans.push(
            await launchClaude(request({ ...OURS, userArgs, conversation, systemPrompt: `HANDOFF ${renewal}` })),
          );
        }
        for (const [renewal, plan] of plans.entries()) {
          expect(plan.args).toEqual(plans[0]?.args);
          expect(plan.args.slice(5)).toEqual(userArgs); // ours are five
          expect(plan.privateFiles[0]?.text).toBe(`HANDOFF ${renewal}`);
        }
      }),
      { numRuns: rounds(40), seed: seed() },
    );
  });
});

/** Anything but what looks like an option. */
const word = () => fc.string({ minLength: 1 }).filter((text) => !text.startsWith('-'));
