// The page in a real browser: from a terminal to the page next to bare `ws`, bytes with 50 terminals, 200 viewers, 10,000 events,
// and memory after an hour's output.
import { setTimeout as pause } from 'node:timers/promises';
import { compareBroadcast } from './lib/api-broadcast.js';
import { median } from './lib/api-requests.js';
import { openBrowser } from './lib/page-browser.js';
import { compareOutput, type Round } from './lib/page-output.js';
import { openPageWorld, type PageWorld } from './lib/page-world.js';

const TERMINALS = 50;
const EVENTS = 10_000;
const HOUR_BYTES = 72_000_000;
const MB = 1 << 20;

const browser = await openBrowser();
if (browser === undefined) {
  console.log('no Chromium on this machine (apt-get install chromium)');
  process.exit();
}

console.log('\nfrom a terminal to the page: ten frames of 2 KB a second, by turns with bare ws\n');
const world = await openPageWorld();
for (const [terminals, bar] of [
  [1, 1.2],
  [TERMINALS, 1.5],
] as const)
  await measureOutput(world, terminals, bar);
await world.close();

console.log('\nan hour of output of one terminal, as fast as it goes\n');
await measureHour();

console.log(`\n${EVENTS.toLocaleString('en')} events\n`);
await measureEvents();
await browser.close();

console.log('\none terminal, 200 viewers in another process\n');
await compareBroadcast();
process.exit();

async function measureOutput(world: PageWorld, terminals: number, bar: number): Promise<void> {
  if (browser === undefined) return;
  const { rounds, overviewBytes, printedBytes } = await compareOutput(browser, world, terminals);
  for (const what of ['arrived', 'drawn'] as const) {
    const p50 = (which: keyof Round) => `${median(rounds.map((round) => round[which][what])).toFixed(1)} ms`;
    const [toBare = 0, toPty = 0] = (['bare', 'pty'] as const).map((which) =>
      median(rounds.map((round) => round.live[what] / round[which][what])),
    );
    console.log(
      `${String(terminals).padStart(2)} terminals, one live, ${what.padEnd(12)} p50 ${p50('live')}, bare ws ${p50('bare')}: ${toBare.toFixed(2)}×  (bar ${bar}×: ${toBare <= bar ? 'met' : 'NOT MET'})`,
    );
    console.log(`${' '.repeat(37)}bare PTY and bare ws ${p50('pty')}: ${toPty.toFixed(2)}×`);
  }
  const late = median(rounds.map(({ live, bare }) => live.arrivedLate / bare.arrivedLate));
  console.log(`${' '.repeat(37)}to arrive, p99 ${late.toFixed(2)}× of bare ws`);
  if (terminals > 1)
    console.log(
      `   the overview of all               ${(overviewBytes / 1_024).toFixed(0)} KB: ${(overviewBytes / printedBytes).toFixed(3)} times of what they printed`,
    );
}

async function measureHour(): Promise<void> {
  const loud = await openPageWorld();
  const script = `const line = 'x'.repeat(98) + '\\r\\n'; let left = ${HOUR_BYTES};
process.stdin.once('data', function print() {
  while (left > 0) { left -= 65536; if (!process.stdout.write(line.repeat(655))) return process.stdout.once('drain', print); }
  process.stdout.write('all printed');
});`;
  const terminal = await loud.host.spawn({ terminalId: 't0', file: process.execPath, args: ['-e', script] });
  loud.names.push('t0');
  const page = await (await browser?.newContext())?.newPage();
  if (page === undefined) return;
  await page.goto(await loud.makeLink());
  await page.waitForSelector('.fresh[data-state=live]');
  await page.goto(new URL('/terminals/t0', page.url()).href);
  await page.click('[data-tab=live]');
  await page.waitForSelector('.xterm-rows');
  const before = used();
  await loud.host.host.write(terminal, '\r');
  await page.waitForSelector('.xterm-rows >> text=all printed', { timeout: 300_000 });
  await pause(1_000);
  console.log(`server                               ${((used() - before) / MB).toFixed(1)} MB more`);
  await page.context().close();
  await loud.close();
}

function used(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function measureEvents(): Promise<void> {
  const long = await openPageWorld();
  const event = { type: 'usage.observed', data: { usedTokens: 1_000, windowTokens: 200_000 } };
  for (let version = 0; version < EVENTS; version += 500)
    await long.store.log.append('terminal:a', version, Array(500).fill(event));
  const page = await (await browser?.newContext())?.newPage();
  if (page === undefined) return;
  await page.goto(await long.makeLink());
  await page.waitForSelector(`.fresh[data-position="${EVENTS}"]`);
  await page.goto(new URL('/log', page.url()).href);
  const took = await page.waitForFunction((position) => {
    const isShown = document.querySelector(`.fresh[data-state=live][data-position="${position}"]`) !== null;
    return isShown && document.querySelector('table.log td') !== null ? performance.now() : false;
  }, EVENTS);
  console.log(`from opening the page to shown       ${Math.round((await took.jsonValue()) as number)} ms`);
  await page.context().close();
  await long.close();
}
