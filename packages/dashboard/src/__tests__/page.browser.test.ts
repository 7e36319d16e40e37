import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@devs/core/testing';
import { source as axe } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { append, endSteps, storeRun, tellRun } from '../fold/__tests__/stored-run.js';
import {
  caughtUp,
  hasChromium,
  openPageWorld,
  openTab,
  PATIENCE_MS,
  type PageWorld,
  SHOP,
  show,
  startBrowser,
  type Tab,
} from './page-world.js';

const VIEWS = ['/', '/inbox', '/runs/shop', '/tasks', '/log', '/cost', '/new', '/settings'];
const SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

describe.skipIf(!hasChromium())('the page in a browser', () => {
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
    tab = await openTab(browser, world);
  });
  afterEach(async () => {
    expect(tab.problems).toEqual([]);
    await tab.context.close();
    await world.dispose();
  });

  it('shows a run from its start to its end, as it happens', async () => {
    await tab.page.waitForSelector('.card >> text=Add a cart');
    await show(tab.page, '/runs/shop');
    await endSteps(world.opened, 'shop', ['planned', 'better']);
    await tab.page.waitForSelector('.flow li[data-state=now] >> text=improve');
    await endSteps(world.opened, 'shop', ['best', 'reviewed']);
    await tellRun(world.opened, 'shop', { type: 'run.finished', outcome: 'done', detail: 'the workflow is complete' });
    await tab.page.waitForSelector('.facts .badge >> text=done');
    expect(await tab.page.locator('.flow li[data-state=done]').count()).toBe(3);
  });

  it('takes a link once, and leaves no key in the address', async () => {
    expect(tab.page.url()).not.toContain('k=');
    const link = await world.makeLink();
    const first = await openAt(browser, link);
    await first.waitForSelector('.fresh');
    const second = await openAt(browser, link);

    expect(await second.textContent('.door')).toContain('devs ui');
    expect(await first.context().cookies()).toEqual([]);
    await first.context().close();
    await second.context().close();
  });

  it('answers a question, and tells that it is on its way', async () => {
    const question = { escalationId: 'q', question: 'Euro or Dollar?', diagnosis: 'Both fit.' };
    await tellRun(world.opened, 'shop', { type: 'escalation.raised', ...question });
    await tab.page.waitForSelector('.count >> text=1');
    expect(await tab.page.title()).toContain('(1)');
    await show(tab.page, '/inbox');
    await tab.page.fill('[aria-label="Your answer"]', 'Euro.');
    await tab.page.click('button >> text=Answer');
    await tab.page.waitForSelector('text=on its way to the agent');

    const events = await world.opened.store.log.read({ stream: 'run:shop' });
    expect(events.at(-1)).toMatchObject({ type: 'escalation.answered', data: { answer: 'Euro.' } });
  });

  it('edits the graph of tasks', async () => {
    await show(tab.page, '/tasks');
    for (const [intent, after] of [
      ['Add a cart', ''],
      ['Add a till', 'add-a-cart'],
    ]) {
      await tab.page.fill('[aria-label="What to do"]', intent ?? '');
      await tab.page.fill('[aria-label="After these tasks"]', after ?? '');
      await tab.page.click('button >> text=/^Add$/');
      await tab.page.waitForSelector(`.task h3 >> text=${intent}`);
    }
    await tab.page.waitForSelector('text=waits for add-a-cart');
    await tab.page.click('[data-tab=graph]');
    await tab.page.waitForSelector('.graph path[data-critical=true]', { state: 'attached' });
    expect(await tab.page.locator('.graph rect').count()).toBe(2);
  });

  it('stands in the past as it did then, and comes back', async () => {
    const { position } = await world.opened.store.state();
    await storeRun(world.opened, 'bank', 'Add a bank');
    await tab.page.waitForSelector('.card >> text=Add a bank');
    await tab.page.goto(`${new URL(tab.page.url()).origin}/?at=${position}&of=${SHOP}`);
    await tab.page.waitForSelector('.past-bar');
    await tab.page.waitForSelector('.card >> text=Add a cart');
    expect(await tab.page.locator('.card >> text=Add a bank').count()).toBe(0);
    // A key that comes before the page listens is lost; where it stands in the present already, the key does nothing.
    await until(async () => {
      await tab.page.keyboard.press('n');
      return (await tab.page.locator('.past-bar').count()) === 0;
    });
    await tab.page.waitForSelector('.card >> text=Add a bank');
    expect(tab.page.url()).not.toContain('at=');
  });

  it('shows text of agents as text, everywhere', async () => {
    await storeRun(world.opened, 'evil', SCRIPT);
    await world.opened.store.tasks.add([{ id: 'evil', intent: SCRIPT, blocked: SCRIPT }]);
    await endSteps(world.opened, 'evil', [SCRIPT]);
    const told = { question: SCRIPT, diagnosis: SCRIPT, escalationId: 'evil' };
    await tellRun(
      world.opened,
      'evil',
      { type: 'stuck.noticed', kind: 'same-action', detail: SCRIPT },
      { type: 'check.ran', command: [SCRIPT], exitCode: 1, tail: SCRIPT },
      { type: 'commits.observed', commits: [{ hash: SCRIPT, subject: SCRIPT }] },
      { type: 'escalation.raised', ...told },
    );
    await append(
      world.opened,
      'terminal:evil',
      { type: 'prompt.intended', data: { promptId: 'p', text: SCRIPT } },
      { type: 'document.verified', data: { document: SCRIPT, added: [SCRIPT] } },
    );
    await caughtUp(tab, world);
    for (const view of ['/', '/inbox', '/tasks', '/log', '/cost', '/runs/evil']) {
      await show(tab.page, view);
      await tab.page.waitForSelector('h1');
    }
    for (const name of ['timeline', 'context', 'handoffs', 'changes', 'prompts', 'report']) {
      await tab.page.click(`[data-tab=${name}]`);
      await tab.page.waitForSelector('.panel *');
      expect(await tab.page.locator('main img, main script').count()).toBe(0);
    }
    expect(await tab.page.evaluate(() => 'hacked' in window)).toBe(false);
  });

  it('says of a view that cannot be loaded, in place of an empty page, and shows the others', async () => {
    const other = await openTab(browser, world);
    await other.page.route('**/assets/cost-*', (route) => route.abort());
    await show(other.page, '/cost');
    await other.page.waitForSelector('[role=alert] >> text=This view cannot be shown');
    await show(other.page, '/tasks');
    await other.page.waitForSelector('h1 >> text=Tasks');
    await other.context.close();
  });

  it('is closed to pages of other origins', async () => {
    const other = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>other</p>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const page = await openAt(browser, `http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const results = await page.evaluate(async (port) => {
      const read = await fetch(`http://127.0.0.1:${port}/v1/status`).then(String, () => 'refused');
      const posted = await fetch(`http://127.0.0.1:${port}/v1/login`, {
        method: 'POST',
        mode: 'no-cors',
        body: '{}',
      }).then(({ type }) => type, String);
      const socket = await new Promise((resolve) => {
        const opened = new WebSocket(`ws://127.0.0.1:${port}/v1/live`);
        opened.onopen = () => resolve('opened');
        opened.onerror = () => resolve('refused');
      });
      return { read, posted, socket };
    }, world.port);

    expect(results).toEqual({ read: 'refused', posted: 'opaque', socket: 'refused' });
    await page.context().close();
  });

  it('is used by keys alone', async () => {
    const press = (key: string) => tab.page.keyboard.press(key);
    // A key that comes before the page listens is lost.
    await until(async () => {
      await press('?');
      return (await tab.page.locator('dialog >> text=back to now').count()) === 1;
    });
    await press('Escape');
    await until(async () => (await tab.page.locator('dialog').count()) === 0);
    await press('g');
    await press('i');
    await tab.page.waitForSelector('h1 >> text=Inbox');
    await press('Control+k');
    await tab.page.waitForSelector('dialog [role=combobox]');
    await tab.page.keyboard.type('add a cart');
    await press('Enter');
    await tab.page.waitForSelector('h1 >> text=Add a cart');
    expect(tab.page.url()).toContain('/runs/shop');
  });

  it('tells who looks at something else that it needs them', async () => {
    await tab.page.addInitScript(() => {
      const told: string[] = [];
      class Told {
        static readonly permission = 'granted';
        constructor(title: string, { body }: { body: string }) {
          told.push(`${title}: ${body}`);
        }
      }
      Object.assign(window, { told, Notification: Told });
      Object.defineProperty(document, 'hidden', { get: () => true });
    });
    await tab.page.reload();
    await caughtUp(tab, world);
    const question = { escalationId: 'q', question: 'Euro or Dollar?', diagnosis: 'Both fit.' };
    await tellRun(world.opened, 'shop', { type: 'escalation.raised', ...question });
    const told = () => tab.page.evaluate(() => (window as unknown as { told: readonly string[] }).told);
    await until(async () => (await told()).length > 0);
    expect(await told()).toEqual(['devs needs you: Euro or Dollar?']);
  });

  it('can be installed', async () => {
    const devtools = await tab.context.newCDPSession(tab.page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(JSON.parse(data ?? '')).toMatchObject({ name: 'devs', start_url: '/', display: 'standalone' });
  });

  it('fits a phone, and has no serious fault for those who use it otherwise', async () => {
    const question = { escalationId: 'q', question: 'Euro or Dollar?', diagnosis: 'Both fit.' };
    await tellRun(world.opened, 'shop', { type: 'escalation.raised', ...question });
    await world.opened.store.tasks.add([{ id: 'a', intent: 'A task' }]);
    await tab.page.evaluate(axe);
    const faults: unknown[] = [];
    for (const [width, colorScheme] of [
      [380, 'light'],
      [1440, 'dark'],
    ] as const) {
      await tab.page.setViewportSize({ width, height: 800 });
      await tab.page.emulateMedia({ colorScheme });
      for (const view of VIEWS) {
        await show(tab.page, view);
        await tab.page.waitForSelector('h1');
        await until(() => tab.page.evaluate(() => document.querySelector('main')?.textContent !== 'Loading …'));
        const overflow = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overflow > 0) faults.push({ view, width, overflow });
        faults.push(...(await seriousFaults(tab)).map((fault) => ({ view, width, fault })));
      }
    }
    expect(faults).toEqual([]);
  });
});

async function openAt(browser: Browser, url: string) {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

interface Axe {
  run(): Promise<{
    readonly violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
  }>;
}

const seriousFaults = ({ page }: Tab): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
