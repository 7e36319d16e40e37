/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { WebSocketServer } from 'ws';
import { forget, type Heard, heardBy, listenIn } from './page-browser.js';
import type { PageWorld } from './page-world.js';

const FRAME_BYTES = 2_048;
const EVERY_MS = 100;
const MEASURED_MS = 6_000;
const WARM_MS = 1_500;

/** An agent that prints ten frames a second, each with its time at the end. */
const PRINTER = `const line = 'x'.repeat(75) + '\\r\\n';
setInterval(() => process.stdout.write(line.repeat(${Math.floor(FRAME_BYTES / 77)}) + '@' + Date.now() + '@\\r\\n'), ${EVERY_MS});`;

const NOTHING: Heard = { delays: [], bytes: 0 };

/** Bare `ws` sends the same frames to a page that shows them as text. */
export async function bareDelays(browser: Browser): Promise<Heard> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<pre class="bare"></pre>'),
  );
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  const frame = 'x'.repeat(FRAME_BYTES);
  sockets.on('connection', (socket) => {
    const timer = setInterval(() => socket.send(Buffer.from(`${frame}@${Date.now()}@`)), EVERY_MS);
    socket.on('close', () => clearInterval(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const page = await (await browser.newContext()).newPage();
  await listenIn(page);
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate((to) => {
    const socket = new WebSocket(`ws://127.0.0.1:${to}/`);
    socket.binaryType = 'arraybuffer';
    const decoder = new TextDecoder();
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      const shown = document.querySelector('.bare');
      if (shown !== null) shown.textContent = decoder.decode(data);
    };
  }, port);
  const heard = await measure(page);
  await page.context().close();
  for (const socket of sockets.clients) socket.terminate();
  server.close();
  return heard;
}

export interface Watched {
  /** The page that has one terminal open. */
  readonly live: Heard;
  /** The page that shows all of them as text. */
  readonly rows: Heard;
  readonly printedBytes: number;
}

/** One terminal live in a page, and the overview of all in another. */
export async function watchTerminals(browser: Browser, world: PageWorld, terminals: number): Promise<Watched> {
  for (let index = world.names.length; index < terminals; index++) {
    const name = `t${index}`;
    await world.host.spawn({ terminalId: name, file: process.execPath, args: ['-e', PRINTER] });
    world.names.push(name);
  }
  const live = await signIn(browser, world);
  await live.evaluate(() => {
    history.pushState(null, '', '/terminals/t0');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await live.waitForSelector('.xterm-rows');
  const overview = terminals > 1 ? await signIn(browser, world) : undefined;
  const [liveHeard, rows] = await Promise.all([measure(live), overview === undefined ? NOTHING : measure(overview)]);
  await live.context().close();
  await overview?.context().close();
  const printedBytes = (MEASURED_MS / EVERY_MS) * FRAME_BYTES * terminals;
  return { live: liveHeard, rows, printedBytes };
}

async function signIn(browser: Browser, world: PageWorld): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1_280, height: 900 } })).newPage();
  await listenIn(page);
  await page.goto(await world.makeLink());
  await page.waitForSelector('.fresh[data-state=live]');
  return page;
}

async function measure(page: Page): Promise<Heard> {
  await pause(WARM_MS);
  await forget(page);
  await pause(MEASURED_MS);
  return heardBy(page);
}

export const quantile = (numbers: readonly number[], share: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN;
