/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import nodePty from '@lydell/node-pty';
import type { Browser, Page } from 'playwright-core';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { type Heard, listenIn, NOTHING, STAMP, takeHeard } from './page-browser.js';
import type { PageWorld } from './page-world.js';

const FRAME_BYTES = 2_048;
const EVERY_MS = 100;
const ROUNDS = 5;
const ROUND_MS = 3_000;
const WARM_MS = 700;

/** Until the next frame: at an interval of its own, so that frames fall on every moment between two drawings of a browser. */
const PAUSE = `${EVERY_MS / 2} + ${EVERY_MS} * Math.random()`;

/** An agent that prints ten frames a second, each with its time at the end. */
const PRINTER = `const line = 'x'.repeat(75) + '\\r\\n';
(function print() {
  process.stdout.write(line.repeat(${Math.floor(FRAME_BYTES / 77)}) + ${STAMP} + '\\r\\n');
  setTimeout(print, ${PAUSE});
})();`;

/** One of several sources of frames, which is silent until it is wanted. */
interface Source {
  readonly page: Page;
  begin(): Promise<void>;
  end(): Promise<void>;
}

export interface Compared {
  readonly rounds: readonly Round[];
  /** Of the page that shows all terminals as text, and of the programs meanwhile. */
  readonly overviewBytes: number;
  readonly printedBytes: number;
}

export interface Round {
  /** Frames that are made where they are sent. */
  readonly bare: Delays;
  /** Frames that a program prints into a PTY of the process that sends them. */
  readonly pty: Delays;
  readonly live: Delays;
}

interface Delays {
  readonly arrived: number;
  readonly arrivedLate: number;
  readonly drawn: number;
}

/**
 * Bare `ws`, a bare PTY with bare `ws`, and one live terminal by turns; who does not have its turn is stopped. With
 * several terminals another page shows all of them as text.
 */
export async function compareOutput(browser: Browser, world: PageWorld, terminals: number): Promise<Compared> {
  const bare = await openBare(browser, makeFrames);
  const pty = await openBare(browser, printFrames);
  const live = await openLive(browser, world, terminals);
  const overview = terminals > 1 ? await signIn(browser, world) : undefined;
  const rounds: Round[] = [];
  let overviewBytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const made = await turnOf(bare);
    const printed = await turnOf(pty);
    const ours = await turnOf(live, overview);
    overviewBytes += ours.overview.bytes;
    rounds.push({ bare: delaysOf(made.heard), pty: delaysOf(printed.heard), live: delaysOf(ours.heard) });
  }
  for (const page of [bare.page, pty.page, live.page, overview]) await page?.context().close();
  return { rounds, overviewBytes, printedBytes: ((ROUNDS * ROUND_MS) / EVERY_MS) * FRAME_BYTES * terminals };
}

async function turnOf({ page, begin, end }: Source, overview?: Page): Promise<{ heard: Heard; overview: Heard }> {
  await begin();
  await pause(WARM_MS);
  await Promise.all([takeHeard(page), overview && takeHeard(overview)]);
  await pause(ROUND_MS);
  const [heard, seen] = await Promise.all([takeHeard(page), overview === undefined ? NOTHING : takeHeard(overview)]);
  await end();
  return { heard, overview: seen };
}

const delaysOf = ({ arrived, drawn }: Heard): Delays => ({
  arrived: quantile(arrived, 0.5),
  arrivedLate: quantile(arrived, 0.99),
  drawn: quantile(drawn, 0.5),
});

/** Sends frames to the sockets while it has its turn. */
type Frames = (sockets: ReadonlySet<ServerSocket>) => Omit<Source, 'page'> & { close(): void };

const makeFrames: Frames = (sockets) => {
  const frame = 'x'.repeat(FRAME_BYTES);
  const stamp = () => `@${(performance.timeOrigin + performance.now()).toFixed(1)}@`;
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    for (const socket of sockets) socket.send(Buffer.from(`${frame}${stamp()}`));
    timer = setTimeout(send, EVERY_MS / 2 + EVERY_MS * Math.random());
  };
  const end = () => clearTimeout(timer);
  return { begin: async () => send(), end: async () => end(), close: end };
};

const printFrames: Frames = (sockets) => {
  const pty = nodePty.spawn(process.execPath, ['-e', PRINTER], { encoding: null });
  pty.onData((bytes: string | Buffer) => {
    for (const socket of sockets) socket.send(bytes, { binary: true });
  });
  process.kill(pty.pid, 'SIGSTOP');
  return {
    begin: async () => void process.kill(pty.pid, 'SIGCONT'),
    end: async () => void process.kill(pty.pid, 'SIGSTOP'),
    close: () => pty.kill('SIGKILL'),
  };
};

/** Bare `ws` and a page that shows what came last as text. */
async function openBare(browser: Browser, source: Frames): Promise<Source> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<pre class="bare"></pre>'),
  );
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
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
  const { close, ...frames } = source(sockets.clients);
  page.once('close', () => {
    close();
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return { page, ...frames };
}

/** The page of devs with one terminal open; all of them print while it has its turn. */
async function openLive(browser: Browser, world: PageWorld, terminals: number): Promise<Source> {
  for (let index = world.names.length; index < terminals; index++) {
    const name = `t${index}`;
    await world.host.spawn({ terminalId: name, file: process.execPath, args: ['-e', PRINTER] });
    world.names.push(name);
  }
  const printers = await world.host.host.list();
  const signal = async (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const { pid } of printers) process.kill(pid, name);
  };
  await signal('SIGSTOP');
  const page = await signIn(browser, world);
  await page.evaluate(() => {
    history.pushState(null, '', '/terminals/t0');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.waitForSelector('.xterm-rows');
  return { page, begin: () => signal('SIGCONT'), end: () => signal('SIGSTOP') };
}

async function signIn(browser: Browser, world: PageWorld): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1_280, height: 900 } })).newPage();
  await listenIn(page);
  await page.goto(await world.makeLink());
  await page.waitForSelector('.fresh[data-state=live]');
  return page;
}

const quantile = (numbers: readonly number[], share: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN;
