import { until } from '@devs/core/testing';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openTab, show, startBrowser, type Tab } from './page-world.js';
import { afterTool, openRealWorld, type RealWorld, type Rule } from './real-world.js';

const commit = (subject: string): Rule['input'] => ({
  command: ['sh', '-c', `echo more >> README.md && git commit --quiet --all --message '${subject}' && echo committed`],
});

/** Writes and commits in the first step, and says so in the second. */
const WORK: readonly Rule[] = [
  { on: afterTool('workflow_', '"step":"write"'), tool: 'run_command', input: commit('Add a cart') },
  { on: afterTool('run_command', 'committed'), tool: 'workflow_advance', input: { output: 'Written.' } },
  { on: afterTool('workflow_', '"step":"tell"'), tool: 'workflow_advance', input: { output: 'The cart is there.' } },
];

const FAILS = { command: ['cat', 'prices-of-october.csv'] };

/** The same failing action again and again, until the user says where the prices are. */
const STUCK: readonly Rule[] = [
  { on: ['The prices are in README.md'], tool: 'run_command', input: commit('Use the prices') },
  { on: afterTool('run_command', 'committed'), tool: 'workflow_advance', input: { output: 'Found them.' } },
  { on: afterTool('workflow_', '"step":"write"'), tool: 'run_command', input: FAILS },
  { on: afterTool('run_command', 'prices-of-october'), tool: 'run_command', input: FAILS },
  { on: afterTool('workflow_', '"step":"tell"'), tool: 'workflow_advance', input: { output: 'Done.' } },
];

/** Thinks for longer than any test takes. */
const ENDLESS: readonly Rule[] = [
  { on: afterTool('workflow_', '"step":"write"'), tool: 'workflow_status', input: {}, delay: '30m' },
];

const AGENTS = 50;

describe.skipIf(!hasChromium())('the page of the real supervisor', () => {
  let browser: Browser;
  let world: RealWorld;
  let tab: Tab;
  beforeAll(async () => {
    [browser, world] = await Promise.all([startBrowser(), openRealWorld()]);
    tab = await openTab(browser, world);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await world.dispose();
  }, 120_000);
  afterEach(() => expect(tab.problems).toEqual([]));
  const seen = (selector: string) => tab.page.waitForSelector(selector);

  it('watches a run from its start to the merge', async () => {
    await show(tab.page, '/');
    await seen('text=No runs yet');
    const run = await world.run('Add a cart to the shop', WORK);
    await seen('.card >> text=Add a cart to the shop');
    await show(tab.page, `/runs/${run}`);
    await seen('.flow li[data-state=done] >> text=write');
    await seen('.facts .badge >> text=done');
    await tab.page.click('[data-tab=changes]');
    await seen('.diff [data-kind=added] >> text=+more');
    await tab.page.click('button >> text=/^Merge$/');
    await seen('text=Merged into main.');
    await seen('.facts .badge >> text=merged');
    expect(world.git('log', '-1', '--format=%s')).toBe('Add a cart\n');
  });

  it('starts a run from the page, and brings a permission to its agent', async () => {
    await show(tab.page, '/new');
    await tab.page.fill('textarea', '[[run make deploy]]');
    await tab.page.selectOption('select >> nth=1', 'mine');
    await tab.page.click('button >> text=/^Start$/');
    await tab.page.waitForURL('**/runs/*');
    await show(tab.page, '/inbox');
    const card = tab.page.locator('[data-question]', { hasText: 'make deploy' });
    await card.locator('button', { hasText: /^Yes\s*$/ }).click();
    await until(async () => (await card.count()) === 0);
    const listed = JSON.parse(await world.devs('answer', '--json')) as { questions: readonly unknown[] };
    expect(listed.questions).toEqual([]);
  });

  it('shows the failing actions of a question, and takes the answer to the agent', async () => {
    const run = await world.run('Use the prices of October', STUCK);
    await show(tab.page, '/inbox');
    const card = tab.page.locator('[data-question]', { hasText: 'Use the prices of October' });
    await card.locator('figure >> text=prices-of-october.csv').nth(2).waitFor();
    await card.locator('textarea').fill('The prices are in README.md');
    await card.locator('button', { hasText: /^Answer$/ }).click();
    await until(async () => (await card.count()) === 0);
    await show(tab.page, `/runs/${run}`);
    await seen('.facts .badge >> text=done');
    await tab.page.click('[data-tab=report]');
    await seen('text=The prices are in README.md');
  });

  it('interrupts and renews the agent of a run, as its own record shows', async () => {
    const run = await world.run('Think about it', ENDLESS);
    await show(tab.page, `/terminals/${run}`);
    await seen('.facts .badge >> text=busy');
    await tab.page.click('[data-tab=conversation]');
    await seen('.conversation >> text=workflow_status');
    await tab.page.click('button >> text=/^Interrupt$/');
    await seen("text=Interrupted: seen in the agent's own record.");
    await show(tab.page, `/runs/${run}`);
    await tab.page.click('button >> text=/^Renew$/');
    await seen('text=Renewed: a fresh agent starts from the handoff.');
    await tab.page.click('[data-tab=context]');
    await seen('.receipts li[data-tone=good] >> text=asked for');
    await tab.page.click('[data-tab=handoffs]');
    await seen('.paper >> text=Think about it');
    await tab.page.click('button >> text=/^Stop$/');
    await seen('.facts .badge >> text=paused');
  });

  it('types into a terminal of the user, and gives it back', async () => {
    const [name = ''] = await world.startTerminals(1);
    await show(tab.page, `/terminals/${name}`);
    await tab.page.click('[data-tab=live]');
    await seen('.xterm-rows >> text=ready');
    await tab.page.click('button >> text=Take over');
    await seen('text=What you type goes to the agent');
    // A key that comes before the terminal takes keys is lost.
    await until(async () => {
      await tab.page.locator('.xterm-helper-textarea').press('h');
      return (await tab.page.textContent('.xterm-rows'))?.includes('[68]') === true;
    });
    await tab.page.click('button >> text=Give back');
    await seen('text=Looking only.');
    await tab.page.click('.keybar button >> text=Tab');
    await seen('.xterm-rows >> text=[09]');
  });

  it('edits the graph of tasks in the store that the command line reads', async () => {
    await show(tab.page, '/tasks');
    for (const [intent, after] of [
      ['Paint the cart', ''],
      ['Sell the cart', 'paint-the-cart'],
    ] as const) {
      await tab.page.fill('[aria-label="What to do"]', intent);
      await tab.page.fill('[aria-label="After these tasks"]', after);
      await tab.page.click('button >> text=/^Add$/');
      await seen(`.task h3 >> text=${intent}`);
    }
    await tab.page.click('[aria-label="Edit paint-the-cart"]');
    await tab.page.fill('dialog textarea', 'Paint the cart red');
    await tab.page.click('dialog button >> text=Save');
    await tab.page.click('[aria-label="Block paint-the-cart"]');
    await tab.page.fill('dialog textarea', 'no red paint');
    await tab.page.click('dialog button >> text=Block it');
    await seen('[data-task=paint-the-cart] >> text=blocked: no red paint');
    await seen('[data-task=sell-the-cart] >> text=waits for paint-the-cart, which is blocked');
    await tab.page.click('[data-tab=graph]');
    await tab.page.waitForSelector('.graph path[data-critical=true]', { state: 'attached' });

    const shown = JSON.parse(await world.devs('task', 'show', 'paint-the-cart', '--json')) as object;
    expect(JSON.stringify(shown)).toMatch(/Paint the cart red.*no red paint/s);
  });

  it('changes a safe setting in the file of the project, and no other', async () => {
    await show(tab.page, '/settings');
    await tab.page.click('summary >> text=at their defaults');
    await tab.page.click('[aria-label="Change stuck.minutes"]');
    await tab.page.fill('dialog textarea', 'soon');
    await tab.page.click('dialog button >> text=Save');
    await seen('.toast[data-kind=bad] >> text=stuck.minutes');
    await tab.page.click('[aria-label=Dismiss]');
    await tab.page.click('[aria-label="Change stuck.minutes"]');
    await tab.page.fill('dialog textarea', '45');
    await tab.page.click('dialog button >> text=Save');
    await seen('text=stuck.minutes is set in .devs/config.yaml.');
    expect(await world.devs('config', 'stuck.minutes')).toContain('45');
    expect(await tab.page.locator('[aria-label="Change checks"], [aria-label="Change agent"]').count()).toBe(0);
    await tab.page.click('[aria-label="Remove stuck.minutes"]');
    await seen('text=stuck.minutes is no longer set');
  });

  it('goes back and forth in the log of a run', async () => {
    await show(tab.page, '/log');
    await tab.page.fill('[aria-label="Search the log"]', 'write done: Written.');
    await tab.page.locator('table.log tr', { hasText: 'write done: Written.' }).last().locator('button.link').click();
    await seen('.past-bar');
    await show(tab.page, '/');
    const card = tab.page.locator('.card', { hasText: 'Add a cart to the shop' });
    await card.locator('.badge >> text=running').waitFor();
    expect(await tab.page.locator('.card', { hasText: 'Use the prices' }).count()).toBe(0);
    await tab.page.waitForURL('**/?at=*');
    const link = tab.page.url();
    await tab.page.locator('.past-bar input').press('End');
    await card.locator('.badge >> text=merged').waitFor();
    await tab.page.click('button >> text=Back to now');
    await until(async () => (await tab.page.locator('.past-bar').count()) === 0);
    await tab.page.goto(link);
    await card.locator('.badge >> text=running').waitFor();
    await tab.page.click('button >> text=Back to now');
  });

  it('is used with one hand on a phone', async () => {
    await tab.page.setViewportSize({ width: 380, height: 760 });
    await tab.page.click('nav a >> text=Overview');
    await tab.page.click('.card h3 a >> text=Add a cart to the shop');
    await tab.page.click('[data-tab=report]');
    await seen('text=The cart is there.');
    await tab.page.click('nav a >> text=Tasks');
    await seen('.task h3 >> text=Sell the cart');
    await tab.page.click('.narrow-only a[aria-label=Cost]');
    await seen('h1 >> text=Cost');
    await show(tab.page, '/terminals/own-0');
    await tab.page.click('[data-tab=text]');
    await tab.page.click('.keybar button >> text=Esc');
    await seen('pre.screen >> text=[1b]');
    expect(await tab.page.locator('button >> text=Take over').count()).toBe(0);
    const overflow = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBe(0);
    await tab.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('lets a viewer look, and change nothing', async () => {
    const viewer = await openTab(browser, { makeLink: () => world.makeLink('--viewer') });
    await show(viewer.page, '/tasks');
    await viewer.page.waitForSelector('.task h3 >> text=Sell the cart');
    expect(await viewer.page.locator('.task button, .add-task').count()).toBe(0);
    const refused = await viewer.page.evaluate(async () => {
      const headers = {
        authorization: `Bearer ${sessionStorage.getItem('devs.token')}`,
        'content-type': 'application/json',
      };
      const body = JSON.stringify({ keys: 'x' });
      return (await fetch('/v1/terminals/own-0/keys', { method: 'POST', headers, body })).status;
    });
    expect(refused).toBe(403);
    expect(viewer.problems.filter((problem) => !problem.includes('status of 40'))).toEqual([]);
    await viewer.context.close();
  });

  it('shows 50 agents on one page: one live, the others as text, and all of them after a crash of the supervisor', async () => {
    const names = await world.startTerminals(AGENTS, 'agent');
    await show(tab.page, '/');
    const cardOf = (name: string) => tab.page.locator(`.card:has(h3 a:text-is("${name}"))`);
    const shown = async () => {
      const texts = await Promise.all(names.map((name) => cardOf(name).locator('pre').textContent()));
      return texts.filter((text) => text?.includes('ready')).length;
    };
    await until(async () => (await shown()) === AGENTS);
    expect(await tab.page.locator('.xterm').count()).toBe(0);

    await show(tab.page, '/terminals/agent-37');
    await tab.page.click('[data-tab=live]');
    await seen('.xterm-rows >> text=ready');
    expect(await tab.page.locator('.xterm').count()).toBe(1);
    await tab.page.click('.keybar button >> text=Esc');
    await seen('.xterm-rows >> text=[1b]');
    await show(tab.page, '/');
    await cardOf('agent-37').locator('pre >> text=[1b]').waitFor();

    await world.killSupervisor();
    await seen('.fresh[data-state=lost]');
    await world.devs('up');
    await seen('.fresh[data-state=live]');
    await until(async () => (await shown()) === AGENTS);
    await cardOf('agent-37').locator('pre >> text=[1b]').waitFor();
  });
});
