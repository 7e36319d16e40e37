import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { until } from '@devs/core/testing';
import { type ModelServer, startModelServer } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { INTRODUCTION } from '../../hook/handoff-room.js';
import { type FrontDoor, openFrontDoor, type Window } from '../../terminal/__tests__/front-door.js';
import type { TerminalListing } from '../../terminal/listing/terminal-listing.js';

const CLAUDE = process.env.DEVS_CLAUDE_CODE ?? '';
const CODEX = process.env.DEVS_CODEX ?? '';
const PREFIX = '\u001d';
const WIDE = { columns: 110, rows: 32 };
const PLUGIN = fileURLToPath(new URL('../../../../../plugins/claude-code', import.meta.url));
const LEDGER = INTRODUCTION.slice(0, 40);

async function openScene(): Promise<{ door: FrontDoor; model: ModelServer }> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const door = openFrontDoor([CLAUDE], {
    version: 'its own',
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_AUTH_TOKEN: 'none',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
      CLAUDE_CODE_DISABLE_1M_CONTEXT: '1',
    },
  });
  const trusted = { allowedTools: [], hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const settings = { numStartups: 3, hasCompletedOnboarding: true, lastOnboardingVersion: '2.1.325', theme: 'dark' };
  writeFileSync(
    join(door.home, '.claude.json'),
    JSON.stringify({ ...settings, projects: { [door.project]: trusted } }),
  );
  return { door, model };
}

async function openCodexScene(): Promise<{ door: FrontDoor; model: ModelServer }> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const door = openFrontDoor([process.execPath, CODEX], { command: 'codex', env: { FAKE_KEY: 'none' } });
  mkdirSync(join(door.home, '.codex'));
  writeFileSync(
    join(door.home, '.codex', 'config.toml'),
    `model = "gpt-5.5-codex"
model_provider = "fake"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
model_context_window = 200000
developer_instructions = "WORDS OF THE USER"
[model_providers.fake]
name = "fake"
base_url = "${model.url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 1
stream_max_retries = 1
[projects."${door.project}"]
trust_level = "trusted"
[features]
plugins = false
apps = false
remote_plugin = false
daemon_auto_start = false
`,
  );
  return { door, model };
}

/** As a user types: the text, then Enter. */
async function prompt(window: Window, text: string): Promise<void> {
  window.type(`\u001b[200~${text}\u001b[201~`);
  await pause(300);
  window.type('\r');
}

const terminalsOf = async (door: FrontDoor) =>
  (JSON.parse((await door.run('--json')).stdout) as { terminals: TerminalListing[] }).terminals;

async function untilTerminal(door: FrontDoor, isTrue: (terminal: TerminalListing) => boolean): Promise<void> {
  let terminal: TerminalListing | undefined;
  await until(
    async () => {
      [terminal] = await terminalsOf(door);
      return terminal !== undefined && isTrue(terminal);
    },
    () => JSON.stringify(terminal),
  );
}

const untilAsked = (model: ModelServer, text: string): Promise<void> =>
  until(
    () => model.requests().some((request) => request.prompt.includes(text)),
    () => `asked: ${text}`,
  );

describe('devs claude, with a real Claude Code', () => {
  it('shows the pressure behind its title, renews it by a key, and takes prompts from outside', async () => {
    const { door, model } = await openScene();
    const window = door.open(['claude', '--permission-mode', 'manual'], { columns: 110, rows: 32 });
    await window.shows('manual mode on');
    await prompt(window, 'Remember the blue parser.\n@model usage input=140k output=300');
    await window.until('· 70%, Ctrl-] r renews');

    window.type(`${PREFIX}r`);
    await window.until('renewed. Back to the conversation before: devs renew shop --undo');
    const renewed = model.requests().filter(({ prompt: text }) => text.includes('[devs] Continue the work'));
    expect(JSON.stringify(renewed[0]?.body)).toContain('Remember the blue parser.');
    await untilTerminal(door, ({ activity, renewals }) => activity === 'idle' && renewals === 1);

    expect(await door.run('send', 'shop', 'Words from outside')).toMatchObject({
      exitCode: 0,
      stdout: 'Delivered to shop.\n',
    });
    await untilAsked(model, 'Words from outside');
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    expect(await door.run('renew', 'shop', '--undo')).toMatchObject({ exitCode: 0 });
    await window.shows('Remember the blue parser.');
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    await prompt(window, '/exit');
    expect(await window.until('[end]')).toContain('[rc=0]');
  });

  it('[H13] [H17] [H20] waits for its user: no one else touches their draft or a dialog', async () => {
    const { door } = await openScene();
    const window = door.open(['claude', '--permission-mode', 'manual'], { columns: 110, rows: 32 });
    await window.shows('manual mode on');
    window.type('half a thought');
    await window.shows('half a thought');
    expect(await door.run('send', 'shop', 'not yours')).toMatchObject({
      exitCode: 1,
      stdout: 'Not sent to shop: something is typed there already, which would be lost.\n',
    });
    window.type('\u0015');
    await pause(300);
    await prompt(window, '@model run "touch made.txt"');
    await window.shows('Do you want to proceed?');
    await untilTerminal(door, ({ needs }) => needs?.kind === 'waiting');
    expect((await door.run('send', 'shop', 'yes')).stdout).toContain('it waits for an answer to something else');

    window.type(`${PREFIX}d`);
    await window.until('[end]');
    const again = door.open(['attach', 'shop'], { columns: 110, rows: 32 });
    await again.shows('Do you want to proceed?');
    again.type('1');
    await untilTerminal(door, ({ activity, needs }) => activity === 'idle' && needs === undefined);
    expect((await door.run('stop', 'shop')).stdout).toMatch(/^Stopped shop/);
    await again.until('[end]');
  });

  it('[H17] keeps a draft from being lost with the old agent, unless its user drops it', async () => {
    const { door } = await openScene();
    const window = door.open(['claude', '--permission-mode', 'manual'], { columns: 110, rows: 32 });
    await window.shows('manual mode on');
    await prompt(window, 'Remember the green parser.');
    await untilTerminal(door, ({ activity, pressure }) => activity === 'idle' && pressure !== undefined);
    window.type('half a thought');
    await window.shows('half a thought');
    expect(await door.run('renew', 'shop')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('something is typed in shop that was not sent'),
    });
    window.type(`${PREFIX}r`);
    await window.shows('press Ctrl-] r again to drop it');
    await window.shows('half a thought');
    expect((await terminalsOf(door))[0]).toMatchObject({ renewals: 0 });

    window.type(`${PREFIX}r`);
    await untilTerminal(door, ({ renewals }) => renewals === 1);
    expect((await door.run('stop', 'shop')).stdout).toMatch(/^Stopped shop/);
    await window.until('[end]');
  });

  it('has the request that it began with, and the way back, also after it was stopped and resumed', async () => {
    const { door, model } = await openScene();
    const window = door.open(['claude', '--permission-mode', 'manual', 'Remember the violet parser.'], WIDE);
    await untilTerminal(door, ({ activity, pressure }) => activity === 'idle' && pressure !== undefined);
    expect(await door.run('renew', 'shop')).toMatchObject({ exitCode: 0 });
    await untilTerminal(door, ({ activity, renewals }) => activity === 'idle' && renewals === 1);
    expect(await door.run('stop', 'shop')).toMatchObject({ exitCode: 0 });
    await window.until('[end]');

    const asked = model.requests().length;
    const again = door.open(['resume', 'shop'], WIDE);
    await again.shows('manual mode on');
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    expect(model.requests()).toHaveLength(asked); // nothing was said for its user
    expect(await door.run('renew', 'shop')).toMatchObject({ exitCode: 0 });
    expect(JSON.stringify(model.requests().at(-1)?.body)).toContain('Remember the violet parser.');
    await untilTerminal(door, ({ activity, renewals }) => activity === 'idle' && renewals === 2);
    expect((await door.run('renew', 'shop', '--undo')).stdout).toContain('shop is back in conversation');
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    expect((await door.run('stop', 'shop')).stdout).toMatch(/^Stopped shop/);
    await again.until('[end]');
  });

  it.each([
    ['without', []],
    ['beside', ['--plugin-dir', PLUGIN]],
  ] as const)('[H21] gets the ledger after its own compaction once, %s our plugin', async (_, args) => {
    const { door, model } = await openScene();
    const window = door.open(['claude', '--permission-mode', 'manual', ...args], WIDE);
    await window.shows('manual mode on');
    await prompt(window, 'Sort the widgets by weight.\n@model say "All widgets are sorted."');
    await untilTerminal(door, ({ activity, pressure }) => activity === 'idle' && pressure !== undefined);
    await prompt(window, '/compact');
    await window.shows('Compacted');
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    await prompt(window, 'Now the gadgets.');
    await untilAsked(model, 'Now the gadgets.');
    const asked = model.requests().findLast(({ prompt: text }) => text.includes('Now the gadgets.'));
    expect(JSON.stringify(asked?.body).split(LEDGER).length - 1).toBe(1);
    expect((await door.run('stop', 'shop')).stdout).toMatch(/^Stopped shop/);
    await window.until('[end]');
  });

  it('continues its conversation after it was killed', async () => {
    const { door } = await openScene();
    const window = door.open(['claude', '--permission-mode', 'manual'], { columns: 110, rows: 32 });
    await window.shows('manual mode on');
    await prompt(window, 'Remember the red parser.');
    await untilTerminal(door, ({ activity, pressure }) => activity === 'idle' && pressure !== undefined);
    const [agent] = await door.hosted();
    process.kill(agent?.pid ?? 0, 'SIGKILL');
    expect(await window.until('[end]')).toContain('[rc=137]');
    expect(await terminalsOf(door)).toMatchObject([{ name: 'shop', needs: { kind: 'crashed' } }]);

    const again = door.open(['resume', 'shop'], { columns: 110, rows: 32 });
    await again.shows('Remember the red parser.');
    await again.shows('manual mode on');
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    again.type(`${PREFIX}d`);
    expect(await again.until('[end]')).toContain('[rc=0]');
  });
});

describe.skipIf(CODEX === '')('devs codex, with a real Codex', () => {
  it('shows the pressure behind its title, renews it by a key, undoes it, and ends as Codex does', async () => {
    const { door, model } = await openCodexScene();
    const window = door.open(['codex', '--model', 'gpt-5.5-codex'], { columns: 110, rows: 32 });
    await window.shows('Ask Codex to do anything');
    await prompt(window, 'Remember the blue parser.\n@model usage input=140k output=300');
    await window.until('Ctrl-] r renews');

    window.type(`${PREFIX}r`);
    await window.until('renewed. Back to the conversation before: devs renew shop --undo');
    const renewed = model.requests().filter(({ prompt: text }) => text.includes('[devs] Continue the work'));
    const first = JSON.stringify(renewed[0]?.body);
    expect(first).toContain('Remember the blue parser.');
    expect(first.split('WORDS OF THE USER')).toHaveLength(2);
    await untilTerminal(door, ({ activity, renewals }) => activity === 'idle' && renewals === 1);

    expect(await door.run('send', 'shop', 'Words from outside')).toMatchObject({
      exitCode: 0,
      stdout: 'Delivered to shop.\n',
    });
    await untilAsked(model, 'Words from outside');
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    expect(await door.run('renew', 'shop', '--undo')).toMatchObject({ exitCode: 0 });
    await window.shows('Remember the blue parser.');
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    await prompt(window, '/quit');
    expect(await window.until('[end]')).toContain('[rc=0]');
  });

  it('[H13] [H17] [H20] waits for its user: no one else touches their draft or a dialog', async () => {
    const { door } = await openCodexScene();
    const window = door.open(['codex'], { columns: 110, rows: 32 });
    await window.shows('Ask Codex to do anything');
    window.type('half a thought');
    await window.shows('half a thought');
    expect(await door.run('send', 'shop', 'not yours')).toMatchObject({
      exitCode: 1,
      stdout: 'Not sent to shop: something is typed there already, which would be lost.\n',
    });
    window.type('\u0015');
    await window.shows('Ask Codex to do anything');
    const call = { cmd: 'touch made.txt', sandbox_permissions: 'require_escalated', justification: 'needed' };
    await prompt(window, `@model tool exec_command ${JSON.stringify(call)}`);
    await untilTerminal(door, ({ needs }) => needs?.kind === 'waiting');
    expect((await door.run('send', 'shop', 'yes')).stdout).toContain('it waits for an answer to something else');

    window.type(`${PREFIX}d`);
    await window.until('[end]');
    const again = door.open(['attach', 'shop'], { columns: 110, rows: 32 });
    await again.shows('touch made.txt');
    again.type('y');
    await untilTerminal(door, ({ activity, needs }) => activity === 'idle' && needs === undefined);
    expect((await door.run('stop', 'shop')).stdout).toMatch(/^Stopped shop/);
    await again.until('[end]');
  });

  it('continues its conversation after it was killed', async () => {
    const { door } = await openCodexScene();
    const window = door.open(['codex'], { columns: 110, rows: 32 });
    await window.shows('Ask Codex to do anything');
    await prompt(window, 'Remember the red parser.');
    await untilTerminal(door, ({ activity, pressure }) => activity === 'idle' && pressure !== undefined);
    const [agent] = await door.hosted();
    process.kill(agent?.pid ?? 0, 'SIGKILL');
    expect(await window.until('[end]')).toContain('[rc=137]');
    expect(await terminalsOf(door)).toMatchObject([{ name: 'shop', needs: { kind: 'crashed' } }]);

    const again = door.open(['resume', 'shop'], { columns: 110, rows: 32 });
    await again.shows('Remember the red parser.');
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    again.type(`${PREFIX}d`);
    expect(await again.until('[end]')).toContain('[rc=0]');
  });
});
