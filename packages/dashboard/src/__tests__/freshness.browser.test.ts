import { createRandom, type Random, rounds, seed } from '@devs/core/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { append, endSteps, everything, storeRun, tellRun } from '../fold/__tests__/stored-run.js';
import { createProjectFold } from '../fold/project-fold.js';
import { snapshotOf } from '../fold/snapshot.js';
import {
  caughtUp,
  hasChromium,
  openPageWorld,
  openTab,
  type PageWorld,
  SHOP,
  startBrowser,
  type Tab,
} from './page-world.js';

/** Something of all that a log holds. */
async function happen({ opened }: PageWorld, random: Random, number: number): Promise<void> {
  const run = `run-${random.below(3)}`;
  const acts = [
    () => tellRun(opened, run, { type: 'head.observed', commit: `c${number}` }),
    () => tellRun(opened, run, { type: 'usage.counted', turns: 1, inputTokens: 9, outputTokens: 1, cachedTokens: 0 }),
    () => endSteps(opened, run, [`output ${number}`]),
    () => append(opened, `terminal:${run}`, usage(number)),
    () => opened.store.tasks.add([{ id: `t${number}`, intent: `Do ${number}` }]),
    () => opened.store.tasks.claim({ by: 'anna', leaseMs: 60_000 }),
    () => opened.store.tasks.edit({ id: `t${random.below(number + 1)}`, priority: random.below(5) }),
  ];
  await random.pick(acts)();
}

const usage = (usedTokens: number) => ({ type: 'usage.observed', data: { usedTokens, windowTokens: 1_000_000 } });

/** What the page has folded, and what the log says. */
async function states({ page }: Tab, { opened }: PageWorld) {
  const shown = JSON.parse(await page.evaluate(() => (window as unknown as { devsState(): string }).devsState()));
  const fold = createProjectFold(SHOP);
  fold.add(await everything(opened), (await opened.store.state()).position);
  return { shown, stored: JSON.parse(JSON.stringify([snapshotOf(fold.state)])) };
}

/** What may come between a page and its supervisor. */
const CUTS: readonly ((tab: Tab, world: PageWorld, meanwhile: () => Promise<void>) => Promise<void>)[] = [
  (_, world, meanwhile) => world.restart(meanwhile),
  async (_, world, meanwhile) => {
    await world.restart();
    await meanwhile();
  },
  async ({ context, page }, _, meanwhile) => {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    await meanwhile();
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    await devtools.detach();
  },
  async ({ context, page }, world, meanwhile) => {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    await world.restart(meanwhile);
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    await devtools.detach();
  },
];

describe.skipIf(!hasChromium())('the page after every cut', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('has folded exactly what the store has', async () => {
    const random = createRandom(seed());
    const world = await openPageWorld();
    for (const run of ['run-0', 'run-1', 'run-2']) await storeRun(world.opened, run);
    const tab = await openTab(browser, world);
    let number = 0;
    const several = async () => {
      for (let event = random.below(5); event >= 0; event--) await happen(world, random, number++);
    };
    for (let round = 0; round < rounds(6, 1_000); round++) {
      await several();
      await random.pick(CUTS)(tab, world, several);
      await several();
      await caughtUp(tab, world);
      const { shown, stored } = await states(tab, world);
      expect(shown, `round ${round} of seed ${seed()}`).toEqual(stored);
    }
    expect(tab.problems).toEqual([]);
    await tab.context.close();
    await world.dispose();
  });
});
