import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCodexDriver } from '@devs/drivers';
import { describe, expect, it } from 'vitest';
import { driveAgent, openScene } from './driven-agent.js';

const CODEX = process.env.DEVS_CODEX ?? '';
const driver = createCodexDriver({ clock: { now: Date.now } });

/** A user with their own instructions and MCP server. */
async function scene() {
  const opened = await openScene();
  const { home, project, model } = opened;
  const codexHome = join(home, '.codex');
  mkdirSync(codexHome);
  const config = `model = "gpt-5.5-codex"
model_provider = "fake"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
model_context_window = 200000
developer_instructions = """
WORDS OF THE "USER"
in two lines"""
[model_providers.fake]
name = "fake"
base_url = "${model.url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 1
stream_max_retries = 1
[projects."${project}"]
trust_level = "trusted"
[features]
plugins = false
apps = false
remote_plugin = false
daemon_auto_start = false
[mcp_servers.theirs]
command = "true"
`;
  const configFile = join(codexHome, 'config.toml');
  writeFileSync(configFile, config);
  const ours = {
    command: CODEX,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      CODEX_HOME: codexHome,
      FAKE_KEY: 'none',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      CODEX_SANDBOX_NETWORK_DISABLED: '1',
    },
    userArgs: ['-a', 'on-request'],
    systemPrompt: 'WORDS OF "DEVS"\nin two lines too',
    mcpServers: { devs: { command: 'true', args: ['--x'], env: { DEVS_TOKEN: 'a-secret' } } },
  };
  const requestsFor = (text: string) =>
    model
      .requests()
      .filter(({ prompt }) => prompt.includes(text))
      .map(({ body }) => JSON.stringify(body));
  return { ...opened, ours, requestsFor, configNow: () => readFileSync(configFile, 'utf8'), config };
}

const times = (text: string, part: string) => text.split(part).length - 1;
const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

describe.skipIf(CODEX === '')('a real Codex, driven', () => {
  it('is found, in a tried version', async () => {
    const { home, project, ours } = await scene();

    expect(await driver.inspect({ folder: project, home, env: ours.env, command: CODEX })).toMatchObject({
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
    const { conversationId: firstId } = agent.last('conversation.changed') ?? {};

    expect(agent.last('usage.measured')).toMatchObject({
      conversationId: firstId,
      usage: { usedTokens: 50_025, windowTokens: 190_000 },
      window: 'recorded',
    });
    expect(plan.args.join(' ')).not.toContain('a-secret');
    const [request = ''] = place.requestsFor('hello there');
    expect([times(request, quoted('WORDS OF THE "USER"')), times(request, quoted('WORDS OF "DEVS"'))]).toEqual([1, 1]);

    const compacting = Date.now();
    expect(await agent.command('compact')).toMatchObject({ type: 'compaction.seen', conversationId: firstId });
    const compactedAfterMs = Date.now() - compacting;
    await agent.until('less used', () => (agent.last('usage.measured')?.usage.usedTokens ?? 0) < 50_000);
    await agent.untilIdle();

    const clearing = Date.now();
    expect(await agent.command('clear')).toMatchObject({ type: 'conversation.changed', before: firstId });
    const clearedAfterMs = Date.now() - clearing;
    expect((await agent.prompt('after the clear\n@model say Second answer.')).kind).toBe('delivered');
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
    const [resumed = ''] = place.requestsFor('go on');
    expect(resumed).toContain('after the clear');
    expect(resumed).not.toContain('hello there');
    expect(place.configNow()).toContain(place.config.trim()); // Codex itself adds a few lines about its screen
    expect(place.configNow()).not.toMatch(/WORDS OF "DEVS"|mcp_servers\.devs/);
    process.stdout.write(
      `codex: idle after ${idleAfterMs} ms, prompt confirmed in ${deliveredAfterMs}, compacted in ${compactedAfterMs}, ` +
        `cleared in ${clearedAfterMs}, ended in ${exitedAfterMs}; usage 50025 of 190000, as scripted\n`,
    );
  });

  it('[H13] [H20] waits when it asks for an approval, and lists approvals granted by hand', async () => {
    const place = await scene();
    const agent = await driveAgent(driver, place, place.ours);
    const call = { cmd: 'touch granted.txt', sandbox_permissions: 'require_escalated', justification: 'needed' };
    await agent.launch({ firstPrompt: `do it\n@model tool exec_command ${JSON.stringify(call)}\n@model say Done it.` });
    await agent.until('waiting', () => agent.entry().state.activity === 'waiting');

    expect(await agent.prompt('and now?')).toEqual({ kind: 'refused', reason: 'dialog' });
    await agent.answer('y');
    await agent.until('the grant', () => agent.last('permission.granted') !== undefined);
    await agent.untilIdle();

    expect(agent.last('permission.granted')).toMatchObject({ detail: 'touch granted.txt' });
  });

  it('takes a usage limit for one, and is well again after it, until it is told to exit', async () => {
    const place = await scene();
    const agent = await driveAgent(driver, place, place.ours);
    await agent.launch({ firstPrompt: 'limit\n@model error 429 type=usage_limit_reached' });
    await agent.until('the limit', () => agent.last('limit.reached') !== undefined);
    await agent.untilIdle();
    await agent.prompt('again\n@model say fine');
    await agent.until('the end of the limit', () => agent.last('limit.passed') !== undefined);
    await agent.untilIdle();
    await agent.exit();

    expect(agent.last('limit.reached')?.limit).toEqual({ kind: 'usage-limit' });
  });
});
