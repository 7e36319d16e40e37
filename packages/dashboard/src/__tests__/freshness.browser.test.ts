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
import { openRelay, type Relay } from './relay.js';

const ROUNDS = rounds(6, 1_000);

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

/** What the mark of the page said at one moment. */
interface Sample {
  readonly at: number;
  readonly state: string;
  readonly position: number;
  /** Everything that was stored at this time is said to be shown. */
  readonly confirmedAt: number;
}

/** Notes everything that the mark says from now on. */
const watchMark = ({ page }: Tab): Promise<void> =>
  page.evaluate(() => {
    const samples: Sample[] = [];
    Object.assign(window, { samples });
    const mark = document.querySelector<HTMLElement>('.fresh');
    const note = () => {
      const { state = '', position, confirmed } = mark?.dataset ?? {};
      samples.push({ at: Date.now(), state, position: Number(position), confirmedAt: Number(confirmed) });
    };
    new MutationObserver(note).observe(mark as HTMLElement, { attributes: true, characterData: true, subtree: true });
  });

const takeSamples = ({ page }: Tab): Promise<readonly Sample[]> =>
  page.evaluate(() => (window as unknown as { samples: Sample[] }).samples.splice(0));

/** The log as it grew: where it ended, and when. */
type Growth = readonly { readonly at: number; readonly position: number }[];

/** The mark shows whole seconds, and an event is on its way for less than one. */
const SHOWN_MS = 1_000;

/** What the mark said although the log had more at that time. */
const lies = (samples: readonly Sample[], growth: Growth): readonly Sample[] =>
  samples.filter(({ position, confirmedAt }) => {
    const stored = growth.findLast(({ at }) => at <= confirmedAt - SHOWN_MS);
    return stored !== undefined && stored.position > position;
  });

interface Between {
  readonly tab: Tab;
  readonly world: PageWorld;
  readonly relay: Relay;
  /** What happens while the page cannot hear of it. */
  meanwhile(): Promise<void>;
}

/** What may come between a page and its supervisor. */
const CUTS: Readonly<Record<string, (between: Between) => Promise<void>>> = {
  async cut({ relay, meanwhile }) {
    relay.cut();
    await meanwhile();
  },
  /** No byte comes any more, and the connection does not say so: the page asks when it wakes. */
  async silence({ tab, relay, meanwhile }) {
    relay.silence();
    await meanwhile();
    await tab.page.evaluate(() => window.dispatchEvent(new Event('online')));
  },
  away: ({ world, meanwhile }) => world.restart(meanwhile),
  async restart({ world, meanwhile }) {
    await world.restart();
    await meanwhile();
  },
  async freeze({ tab: { context, page }, meanwhile }) {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    await meanwhile();
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    await devtools.detach();
  },
  async 'freeze and restart'({ tab: { context, page }, world, meanwhile }) {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    await world.restart(meanwhile);
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    await devtools.detach();
  },
};

describe.skipIf(!hasChromium())('the page after every cut', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('has folded exactly what the store has, and never says that it is younger than it is', {
    timeout: 300_000 + 10_000 * ROUNDS,
  }, async ({ annotate }) => {
    const random = createRandom(seed());
    const world = await openPageWorld();
    for (const run of ['run-0', 'run-1', 'run-2']) await storeRun(world.opened, run);
    const relay = await openRelay(world.port);
    const tab = await openTab(browser, { makeLink: async () => relay.through(await world.makeLink()) });
    await watchMark(tab);
    const rounds = new Map<string, number>();
    let number = 0;
    let sampled = 0;
    const growth: { at: number; position: number }[] = [];
    const several = async () => {
      for (let event = random.below(5); event >= 0; event--) await happen(world, random, number++);
      growth.push({ at: Date.now(), position: (await world.opened.store.state()).position });
    };
    for (let round = 0; round < ROUNDS; round++) {
      await several();
      const name = random.pick(Object.keys(CUTS));
      rounds.set(name, (rounds.get(name) ?? 0) + 1);
      await CUTS[name]?.({ tab, world, relay, meanwhile: several });
      await several();
      await caughtUp(tab, world);
      const { shown, stored } = await states(tab, world);
      expect(shown, `round ${round} of seed ${seed()}`).toEqual(stored);
      const samples = await takeSamples(tab);
      sampled += samples.length;
      expect(lies(samples, growth), `round ${round} of seed ${seed()}`).toEqual([]);
    }
    // A soak says what it did.
    if (ROUNDS > 100)
      await annotate(`${JSON.stringify(Object.fromEntries(rounds))}, ${number} acts, ${sampled} samples of the mark`);
    expect(sampled).toBeGreaterThan(0);
    expect(tab.problems).toEqual([]);
    await tab.context.close();
    relay.close();
    await world.dispose();
  });
});
