import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { append, storeRun } from '../fold/__tests__/stored-run.js';
import {
  hasChromium,
  openPageWorld,
  openTab,
  type PageWorld,
  show,
  startBrowser,
  type Tab,
  terminalOf,
} from './page-world.js';

const SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

/** Prints markup, a title, a clipboard write and a link that is no link. */
const EVIL_AGENT = `process.stdout.write(${JSON.stringify(SCRIPT)} + '\\r\\n');
process.stdout.write('\\x1b]0;' + ${JSON.stringify(SCRIPT)} + '\\x07');
process.stdout.write('\\x1b]52;c;' + Buffer.from('stolen').toString('base64') + '\\x07');
process.stdout.write('\\x1b]8;;javascript:window.hacked=1\\x07click me\\x1b]8;;\\x07 printed\\r\\n');
setInterval(() => {}, 1000);`;

describe.skipIf(!hasChromium())('attacks on the page', () => {
  let browser: Browser;
  let world: PageWorld;
  let tab: Tab;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    world = await openPageWorld();
    await storeRun(world.opened, 'shop');
  });
  afterEach(async () => {
    expect(tab.problems).toEqual([]);
    await tab.context.close();
    await world.dispose();
  });
  const isHacked = () => tab.page.evaluate(() => 'hacked' in window || document.querySelector('main img') !== null);

  it('shows what an agent prints as text, and gives it neither clipboard nor script', async () => {
    const host = await world.host();
    await host.spawn({ terminalId: 'evil', file: process.execPath, args: ['-e', EVIL_AGENT], columns: 120 });
    world.terminals.push(terminalOf('evil'));
    tab = await openTab(browser, world);
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await tab.page.waitForSelector('.card pre >> text=printed');
    await show(tab.page, '/terminals/evil');
    await tab.page.click('[data-tab=live]');
    await tab.page.waitForSelector('.xterm-rows >> text=printed');
    // xterm draws its links itself, and hears of clicks above its rows.
    await tab.page.locator('.xterm-rows >> text=click me').click({ force: true });
    expect(await tab.page.locator('dialog').count()).toBe(0);
    await tab.page.click('[data-tab=history]');
    await tab.page.waitForSelector('pre.screen >> text=onerror');
    await tab.page.bringToFront();
    expect(await tab.page.evaluate(() => navigator.clipboard.readText())).not.toContain('stolen');
    expect(await isHacked()).toBe(false);
    expect(await tab.page.title()).not.toContain('img');
  });

  it('takes script in every field for text', async () => {
    await append(
      world.opened,
      'terminal:shop',
      { type: 'terminal.opened', data: { launch: { agent: 'claude' } } },
      { type: 'conversation.observed', data: { agentId: 'a', conversationId: SCRIPT, path: '/evil' } },
    );
    world.conversations.set('/evil', [
      { kind: 'prompt', text: SCRIPT },
      { kind: 'text', text: SCRIPT },
      {
        kind: 'call',
        callId: 'c',
        tool: SCRIPT,
        title: SCRIPT,
        changes: [{ path: SCRIPT, removed: [SCRIPT], added: [SCRIPT] }],
      },
      { kind: 'result', callId: 'c', text: SCRIPT, outcome: 'failed' },
    ]);
    tab = await openTab(browser, world);
    await show(tab.page, '/terminals/shop');
    await tab.page.waitForSelector('.conversation .diff >> text=onerror');
    await show(tab.page, '/tasks');
    await tab.page.fill('[aria-label="What to do"]', SCRIPT);
    await tab.page.click('button >> text=/^Add$/');
    await tab.page.waitForSelector('.task h3 >> text=onerror');
    await tab.page.click('[aria-label^="Block "]');
    await tab.page.fill('dialog textarea', SCRIPT);
    await tab.page.click('dialog button >> text=Block it');
    await tab.page.waitForSelector('.task >> text=blocked: <img');
    await show(tab.page, '/log');
    await tab.page.fill('[aria-label="Search the log"]', SCRIPT);
    await tab.page.waitForSelector('text=/of .* events/');
    await show(tab.page, '/new');
    await tab.page.fill('textarea', SCRIPT);
    expect(await isHacked()).toBe(false);
  });

  it('refuses callers that use another host name', async () => {
    tab = await openTab(browser, world);
    const context = await browser.newContext();
    const page = await context.newPage();
    const rebound = await page.goto(`http://rebound.test:${world.port}/`);
    expect(rebound?.status()).toBe(403);
    const read = await page.evaluate(async (port) => {
      const status = await fetch(`http://rebound.test:${port}/v1/status`).then((answer) => answer.status, String);
      const socket = await new Promise((resolve) => {
        const opened = new WebSocket(`ws://rebound.test:${port}/v1/live`);
        opened.onopen = () => resolve('opened');
        opened.onerror = () => resolve('refused');
      });
      return { status, socket };
    }, world.port);
    expect(read).toEqual({ status: 403, socket: 'refused' });
    await context.close();
  });
});
