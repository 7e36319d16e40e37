import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ModelServer, startModelServer } from '@devs/model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FrontDoor, openFrontDoor, type Window } from '../../terminal/__tests__/front-door.js';
import type { TerminalListing } from '../../terminal/listing/terminal-listing.js';

const CLAUDE = process.env.DEVS_CLAUDE_CODE ?? '';
const PREFIX = '\u001d';

async function openScene(): Promise<{ door: FrontDoor; model: ModelServer }> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const door = openFrontDoor([CLAUDE], {
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

/** As a user types: the text, then Enter. */
async function prompt(window: Window, text: string): Promise<void> {
  window.type(`\u001b[200~${text}\u001b[201~`);
  await pause(300);
  window.type('\r');
}

const terminalsOf = async (door: FrontDoor) =>
  (JSON.parse((await door.run('--json')).stdout) as { terminals: TerminalListing[] }).terminals;

async function untilTerminal(door: FrontDoor, isTrue: (terminal: TerminalListing) => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; ; await pause(100)) {
    const [terminal] = await terminalsOf(door);
    if (terminal !== undefined && isTrue(terminal)) return;
    if (Date.now() > deadline) throw new Error(`never so: ${JSON.stringify(terminal)}`);
  }
}

describe('devs claude, with a real Claude Code', () => {
  it('shows the pressure behind its title, renews it by a key, and takes prompts from outside', async () => {
    const { door, model } = await openScene();
    const window = door.open(['claude', '--permission-mode', 'manual'], { columns: 110, rows: 32 });
    await window.shows('manual mode on');
    await prompt(window, 'Remember the blue parser.\n@model usage input=140k output=300');
    await window.until('· 70%, Ctrl-] r renews');

    window.type(`${PREFIX}r`);
    await window.until('renewed. Back to the conversation before: devs renew shop --undo');
    const renewed = model.requests().filter(({ prompt: text }) => text.includes('Go on with the work'));
    expect(JSON.stringify(renewed[0]?.body)).toContain('Remember the blue parser.');
    await untilTerminal(door, ({ activity, renewals }) => activity === 'idle' && renewals === 1);

    expect(await door.run('send', 'shop', 'Words from outside')).toMatchObject({
      exitCode: 0,
      stdout: 'Delivered to shop.\n',
    });
    expect(model.requests().some(({ prompt: text }) => text.includes('Words from outside'))).toBe(true);
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    expect(await door.run('renew', 'shop', '--undo')).toMatchObject({ exitCode: 0 });
    await window.shows('Remember the blue parser.');
    await untilTerminal(door, ({ activity }) => activity === 'idle');
    await prompt(window, '/exit');
    expect(await window.until('[end]')).toContain('[rc=0]');
  });

  it('[H13] [H17] [H20] waits for its user: neither his draft nor a dialog is touched by anybody else', async () => {
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

  it('goes on in its conversation after it was killed', async () => {
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
