import { MACHINES_STREAM, machineJoined, machineLease } from '@devs/core';
import { until } from '@devs/core/testing';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { append, endSteps, storeRun, tellRun } from '../fold/__tests__/stored-run.js';
import {
  caughtUp,
  hasChromium,
  openPageWorld,
  openTab,
  type PageWorld,
  SHOP,
  show,
  startBrowser,
  type Tab,
  terminalOf,
} from './page-world.js';

/** Shows the keys that it gets, one by one. */
const KEYS_AGENT = `process.stdin.setRawMode(true);
process.stdin.on('data', (bytes) => process.stdout.write('[' + bytes.toString('hex') + ']'));
process.stdout.write('ready\\r\\n');`;

describe.skipIf(!hasChromium())('work from the page', () => {
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
  const askedFor = (operation: string) => world.asked.filter((one) => one.operation === operation);
  const startAgent = async (name: string) => {
    const host = await world.host();
    await host.spawn({ terminalId: name, file: process.execPath, args: ['-e', KEYS_AGENT] });
    world.terminals.push(terminalOf(name, { run: 'shop' }));
  };

  it('types into a terminal, shows what comes back, interrupts and renews', async () => {
    await startAgent('shop');
    world.terminals[0] = terminalOf('shop');
    tab = await openTab(browser, world);
    await show(tab.page, '/terminals/shop');
    await tab.page.click('[data-tab=live]');
    await tab.page.waitForSelector('.xterm-rows >> text=ready');
    await tab.page.click('button >> text=Take over');
    await tab.page.waitForSelector('text=What you type goes to the agent');
    // A key that comes before the terminal takes keys is lost.
    await until(async () => {
      await tab.page.locator('.xterm-helper-textarea').press('h');
      return (await tab.page.textContent('.xterm-rows'))?.includes('[68]') === true;
    });
    await tab.page.click('button >> text=Give back');
    await tab.page.click('button >> text=Interrupt');
    await tab.page.waitForSelector("text=seen in the agent's own record");
    expect(askedFor('terminals.interrupt')[0]?.input).toEqual({ terminal: 'shop' });

    await tab.page.click('button >> text=/^Renew$/');
    await tab.page.waitForSelector('text=a fresh agent starts from the handoff');
    expect(askedFor('terminals.renew')).toEqual([{ operation: 'terminals.renew', input: { terminal: 'shop' } }]);
    await tab.page.fill('[aria-label=Prompt]', 'Use Euro.');
    await tab.page.click('button >> text=/^Send$/');
    await tab.page.waitForSelector('text=Arrived: the agent has taken it up.');
    expect(askedFor('terminals.send')[0]?.input).toEqual({ terminal: 'shop', text: 'Use Euro.' });
  });

  it('answers a permission with a key', async () => {
    await startAgent('shop');
    world.terminals[0] = terminalOf('shop', {
      activity: 'waiting',
      needs: { kind: 'waiting', detail: 'May it run npm test?', screen: '1. Yes  2. No' },
    });
    tab = await openTab(browser, world);
    await show(tab.page, '/inbox');
    await tab.page.click('[data-terminal=shop] button >> text=/^1$/');
    await show(tab.page, '/terminals/shop');
    await tab.page.click('[data-tab=text]');
    await tab.page.waitForSelector('pre.screen >> text=[31]');
    // What scrolls is reached by keys.
    await tab.page.focus('pre.screen');
    expect(await tab.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Screen');
  });

  it('shows the conversation of an agent as its own record has it', async () => {
    const path = '/a.jsonl';
    const at = '2026-01-01T10:00:00Z';
    world.conversations.set(path, [
      { kind: 'prompt', text: 'Add a cart.', at },
      { kind: 'thought', text: 'A cart is a list.', at },
      {
        kind: 'call',
        callId: 'c',
        tool: 'Edit',
        title: 'edited cart.js',
        changes: [{ path: 'cart.js', removed: ['old'], added: ['<b>new</b>'] }],
        at,
      },
      { kind: 'result', callId: 'c', text: 'done', outcome: 'ok', at },
      { kind: 'usage', inputTokens: 12_000, outputTokens: 300, at },
    ]);
    await append(
      world.opened,
      'terminal:shop',
      { type: 'terminal.opened', data: { launch: { agent: 'claude' } } },
      { type: 'conversation.observed', data: { agentId: 'a', conversationId: 'c1', path } },
    );
    tab = await openTab(browser, world);
    await show(tab.page, '/terminals/shop');
    await tab.page.waitForSelector('.conversation >> text=Add a cart.');
    await tab.page.waitForSelector('.conversation .diff >> text=+<b>new</b>');
    await tab.page.waitForSelector('text=12 k in');
    world.conversations.get(path)?.push({ kind: 'text', text: 'The cart is there.', at });
    await tab.page.waitForSelector('.conversation >> text=The cart is there.');
    expect(await tab.page.locator('.conversation b >> text=new').count()).toBe(0);
  });

  it('shows the machines of the fleet, and what waits for another one', async () => {
    const { log, leases, tasks } = world.opened.store;
    const machine = { slots: 2, labels: ['gpu'], agents: ['claude'], version: '1' };
    await log.append(MACHINES_STREAM, 0, [
      machineJoined({ name: 'ant', ...machine }),
      machineJoined({ name: 'bee', ...machine }),
    ]);
    await leases.acquire({ name: machineLease('ant'), by: 'me', leaseMs: 600_000 });
    await tasks.add([{ id: 'build', intent: 'Build it', needs: ['mac'] }]);
    tab = await openTab(browser, world);
    await show(tab.page, '/');
    const rows = tab.page.locator('section[aria-label="Machines of shop"] tbody tr');
    await rows.nth(1).waitFor();
    expect((await rows.allInnerTexts()).map((text) => text.split(/\s+/).slice(0, 2))).toEqual([
      ['ant', 'serving'],
      ['bee', 'lost'],
    ]);
    await tab.page.waitForSelector('text=build waits: no machine here has mac.');
  });

  it('puts a lost fact back, with what the conversations say about it', async () => {
    world.terminals.push(terminalOf('shop', { run: 'shop' }));
    await append(
      world.opened,
      'terminal:shop',
      { type: 'permission.observed', data: { tool: 'Bash', detail: 'npm run migrate' } },
      { type: 'renewal.started', data: { cause: 'firm mark', refreshCount: 1 } },
    );
    tab = await openTab(browser, world);
    await show(tab.page, '/runs/shop');
    await tab.page.click('[data-tab=context]');
    const button = tab.page.locator('button >> text=Put it back').first();
    await button.click();
    await tab.page.waitForSelector('text=The agent has it again.');
    expect(JSON.stringify(askedFor('terminals.interrupt')[0]?.input)).toContain('npm run migrate');
  });

  it('edits, reorders, blocks and retries tasks', async () => {
    await world.opened.store.tasks.add([
      { id: 'cart', intent: 'Add a cart' },
      { id: 'till', intent: 'Add a till' },
    ]);
    await world.opened.store.tasks.fail({ id: 'till', reason: 'no luck' });
    tab = await openTab(browser, world);
    await show(tab.page, '/tasks');
    await tab.page.click('[aria-label="Edit cart"]');
    await tab.page.fill('dialog textarea', 'Add a cart with wheels');
    await tab.page.click('dialog button >> text=Save');
    await tab.page.waitForSelector('.task h3 >> text=Add a cart with wheels');
    await tab.page.click('[aria-label="Earlier cart"]');
    await tab.page.waitForSelector('[data-task=cart] >> text=priority 1');
    await tab.page.click('[aria-label="Block cart"]');
    await tab.page.fill('dialog textarea', 'no wheels');
    await tab.page.click('dialog button >> text=Block it');
    await tab.page.waitForSelector('[data-task=cart] >> text=blocked: no wheels');
    await tab.page.click('[aria-label="Retry till"]');
    await tab.page.waitForSelector('[data-task=till] >> text=may begin');

    expect(await world.opened.store.tasks.get('cart')).toMatchObject({ intent: 'Add a cart with wheels', priority: 1 });
  });

  it('shows a run from its start to the merge', async () => {
    tab = await openTab(browser, world);
    await show(tab.page, '/runs/shop');
    await endSteps(world.opened, 'shop', ['planned', 'better', 'best', 'reviewed']);
    await tellRun(
      world.opened,
      'shop',
      { type: 'usage.counted', turns: 4, inputTokens: 1_000, outputTokens: 10, cachedTokens: 0, costUsd: 0.5 },
      { type: 'commits.observed', commits: [{ hash: 'abcdef0', subject: 'Add a cart' }] },
      { type: 'run.finished', outcome: 'done', detail: 'the workflow is complete' },
    );
    await tab.page.waitForSelector('.facts .badge >> text=done');
    await tab.page.waitForSelector('[aria-labelledby=steps] >> text=$0.50');
    await tab.page.click('button >> text=/^Merge$/');
    await tab.page.waitForSelector('text=Merged into main.');
    await tellRun(world.opened, 'shop', { type: 'run.merged', into: 'main', commit: 'c' });
    await tab.page.waitForSelector('.facts .badge >> text=/merged/');
    expect(askedFor('runs.merge')).toEqual([{ operation: 'runs.merge', input: { run: 'shop', project: SHOP } }]);
  });

  it('shows 50 agents on one page, each as the last lines of its screen', async () => {
    const host = await world.host();
    for (let index = 0; index < 50; index++) {
      const name = `agent-${index}`;
      await host.spawn({ terminalId: name, file: '/bin/sh', args: ['-c', `echo screen of ${name}; exec sleep 600`] });
      world.terminals.push(terminalOf(name));
    }
    tab = await openTab(browser, world);
    await tab.page.waitForSelector('.card pre >> text=screen of agent-49');
    await until(async () => (await tab.page.locator('.card pre >> text=/screen of agent-/').count()) === 50);
    await caughtUp(tab, world);
    expect(await tab.page.locator('.xterm').count()).toBe(0);
  });
});
