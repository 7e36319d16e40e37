import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClaudeCodeDriver } from '@devs/drivers';
import { describe, expect, it } from 'vitest';
import { driveAgent, openScene, type Scene } from './driven-agent.js';

const CLAUDE = process.env.DEVS_CLAUDE_CODE ?? '';
const driver = createClaudeCodeDriver({ clock: { now: Date.now } });

/** A user with their own hooks, MCP server and instructions. */
async function scene() {
  const opened = await openScene();
  const { home, project, model } = opened;
  mkdirSync(join(home, '.claude'));
  const hook = (name: string) => ({
    hooks: [{ type: 'command', command: `echo ${name} >> '${join(home, 'hooks.log')}'` }],
  });
  writeFileSync(
    join(home, '.claude', 'settings.json'),
    JSON.stringify({ hooks: { UserPromptSubmit: [hook('file')] } }),
  );
  const settings = JSON.stringify({ hooks: { UserPromptSubmit: [hook('argument')] } });
  writeFileSync(
    join(home, '.claude.json'),
    JSON.stringify({
      numStartups: 3,
      hasCompletedOnboarding: true,
      lastOnboardingVersion: '2.1.325',
      theme: 'dark',
      projects: { [project]: { allowedTools: [], hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    }),
  );
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    XDG_STATE_HOME: join(home, 'state'),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_AUTH_TOKEN: 'none',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    // As if devs itself ran inside an agent.
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
  };
  const userArgs = [
    '--permission-mode=manual',
    '--settings',
    settings,
    '--append-system-prompt',
    'WORDS OF THE USER',
    '--mcp-config',
    JSON.stringify({ mcpServers: { theirs: { command: 'true' } } }),
  ];
  const ours = {
    command: CLAUDE,
    env,
    userArgs,
    unattended: true,
    systemPrompt: 'WORDS OF DEVS',
    mcpServers: { devs: { command: 'true', args: [], env: { DEVS_TOKEN: 'a-secret' } } },
    hooks: { command: ['sh', '-c', `echo ours >> '${join(home, 'hooks.log')}'`], events: ['UserPromptSubmit'] },
  };
  return { ...opened, ours, hooksRun: () => readFileSync(join(home, 'hooks.log'), 'utf8').trim().split('\n').sort() };
}

const requestsFor = ({ model }: Scene, text: string) =>
  model
    .requests()
    .filter(({ prompt }) => prompt.includes(text))
    .map(({ body }) => JSON.stringify(body));
const times = (text: string, part: string) => text.split(part).length - 1;

describe('a real Claude Code, driven', () => {
  it('is found, in a tried version', async () => {
    const { home, project, ours } = await scene();

    expect(await driver.inspect({ folder: project, home, env: ours.env, command: CLAUDE })).toMatchObject({
      kind: 'installed',
      tried: true,
    });
  });

  it('[H18] [H4] is started beside what the user has, told exactly how full it is, compacted, cleared, ended and resumed', async () => {
    const place = await scene();
    const agent = await driveAgent(driver, place, place.ours);
    const began = Date.now();
    const plan = await agent.launch();
    await agent.untilIdle();
    const idleAfterMs = Date.now() - began;

    const first = 'hello there\n@model usage input=50000 output=25\n@model say First answer.';
    const typed = Date.now();
    expect(await agent.prompt(first)).toEqual({ kind: 'delivered', enters: 1 });
    const deliveredAfterMs = Date.now() - typed;
    await agent.until('the usage', () => agent.last('usage.measured') !== undefined);
    await agent.untilIdle();

    expect(agent.last('usage.measured')).toMatchObject({
      conversationId: plan.conversationId,
      usage: { usedTokens: 50_025, windowTokens: 1_000_000 },
      window: 'known model',
    });
    expect(place.hooksRun()).toEqual(['argument', 'file', 'ours']);
    const [request = ''] = requestsFor(place, 'hello there');
    expect([times(request, 'WORDS OF THE USER'), times(request, 'WORDS OF DEVS')]).toEqual([1, 1]);

    const compacting = Date.now();
    expect(await agent.command('compact')).toMatchObject({ trigger: 'manual', tokensBefore: 50_025 });
    const compactedAfterMs = Date.now() - compacting;
    await agent.untilIdle();
    expect(agent.last('usage.measured')?.usage.usedTokens).toBeLessThan(50_000);

    const clearing = Date.now();
    const cleared = await agent.command('clear');
    const clearedAfterMs = Date.now() - clearing;
    expect(cleared).toMatchObject({ type: 'conversation.changed', before: plan.conversationId });

    const second = 'after the clear\n@model say Second answer.';
    expect((await agent.prompt(second)).kind).toBe('delivered');
    await agent.untilIdle();
    const { conversationId = '' } = agent.last('conversation.changed') ?? {};

    const exiting = Date.now();
    await agent.press('\u0003');
    await agent.press('\u0003');
    await agent.until('the exit', () => agent.entry().state.activity === 'exited');
    const exitedAfterMs = Date.now() - exiting;

    await agent.launch({
      conversation: { kind: 'resume', id: conversationId },
      firstPrompt: 'go on\n@model say Resumed.',
    });
    await agent.until('the answer of the resumed one', () =>
      agent
        .all('conversation.grew')
        .some(({ events }) => events.some((e) => e.type === 'note.written' && e.text === 'Resumed.')),
    );
    const [resumed = ''] = requestsFor(place, 'go on');
    expect(resumed).toContain('after the clear');
    expect(resumed).not.toContain('hello there');
    expect([times(resumed, 'WORDS OF THE USER'), times(resumed, 'WORDS OF DEVS')]).toEqual([1, 1]);
    process.stdout.write(
      `claude: idle after ${idleAfterMs} ms, prompt confirmed in ${deliveredAfterMs}, compacted in ${compactedAfterMs}, ` +
        `cleared in ${clearedAfterMs}, ended in ${exitedAfterMs}; usage 50025 of 1000000, as scripted\n`,
    );
  });

  it('[H13] [H20] waits when it asks for a permission, and lists permissions granted by hand', async () => {
    const place = await scene();
    const agent = await driveAgent(driver, place, place.ours);
    await agent.launch({ firstPrompt: 'do it\n@model run touch granted.txt\n@model say Done it.' });
    await agent.until('waiting', () => agent.entry().state.activity === 'waiting');
    const evidence = agent.entry().state.evidence;

    expect(await agent.prompt('and now?')).toEqual({ kind: 'refused', reason: 'dialog' });
    await agent.answer('1');
    await agent.until('the grant', () => agent.last('permission.granted') !== undefined);
    await agent.untilIdle();

    expect(evidence).toMatchObject({ source: 'status-file', detail: 'waiting for permission prompt' });
    expect(agent.last('permission.granted')).toMatchObject({ tool: 'Bash', detail: 'touch granted.txt' });
  });

  it('counts a command in the background as busy, and a limit of the provider as one, until it is told to exit', async () => {
    const place = await scene();
    const agent = await driveAgent(driver, place, {
      ...place.ours,
      userArgs: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
    });
    const sleep = JSON.stringify({ command: 'sleep 3', run_in_background: true, description: 'x' });
    await agent.launch({ firstPrompt: `bg\n@model tool Bash ${sleep}\n@model say started` });
    await agent.until('the background shell', () => agent.entry().state.evidence.source === 'background');
    expect(agent.entry().state.activity).toBe('busy');
    await agent.untilIdle();

    await agent.prompt('limit\n@model error 429 type=rate_limit_error header.x-should-retry=false');
    await agent.until('the limit', () => agent.last('limit.reached') !== undefined);
    await agent.untilIdle();
    await agent.command('clear'); // Claude Code sends what was not answered together with the next prompt
    await agent.prompt('again\n@model say fine');
    await agent.until('the end of the limit', () => agent.last('limit.passed') !== undefined);
    await agent.untilIdle();
    await agent.exit();

    expect(agent.last('limit.reached')?.limit).toEqual({ kind: 'usage-limit' });
  });

  it('[H18] continues with the last permission mode', async () => {
    const place = await scene();
    const agent = await driveAgent(driver, place, place.ours);
    await agent.launch({ firstPrompt: 'one\n@model say one' });
    await agent.until('an answer', () => agent.last('turn.ended') !== undefined);
    await agent.untilIdle();
    await agent.press('\u001b[Z');
    await agent.prompt('two\n@model say two');
    await agent.until('the change', () => agent.last('settings.changed') !== undefined);
    const { settings } = agent.last('settings.changed') ?? {};
    await agent.kill();

    const fresh = { kind: 'fresh', id: '11111111-2222-4333-8444-555555555555' } as const;
    await agent.launch({ conversation: fresh, settings: settings ?? {}, firstPrompt: 'three\n@model say three' });
    await agent.until('the answer', () => requestsFor(place, 'three').length > 0);
    await agent.until('the mode on the screen', () =>
      (agent.view()?.lines ?? []).some((line) => line.includes('accept edits on')),
    );

    expect(settings).toEqual({ permissionMode: 'acceptEdits' });
    expect(agent.all('conversation.changed').at(-1)?.conversationId).toBe(fresh.id);
  });
});
