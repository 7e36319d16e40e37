/// <reference lib="dom" />
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** `undefined` without a browser on this machine. */
export const openBrowser = async (): Promise<Browser | undefined> =>
  existsSync(CHROMIUM)
    ? chromium.launch({
        executablePath: CHROMIUM,
        args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
      })
    : undefined;

/** Code of a program that prints its time in the form that a page reads: to a tenth of a millisecond. */
export const STAMP = `'@' + (performance.timeOrigin + performance.now()).toFixed(1) + '@'`;

/** What a page has received on its socket. Delays in milliseconds from printing a frame. */
export interface Heard {
  /** To the moment at which the page's socket has it. */
  readonly arrived: readonly number[];
  /** To the moment after the browser has drawn it. */
  readonly drawn: readonly number[];
  readonly bytes: number;
}

export const NOTHING: Heard = { arrived: [], drawn: [], bytes: 0 };

/**
 * Measures the same way in every page: a frame has arrived when the socket's first listener has its time, and is drawn
 * in the task after the animation frame that shows its time.
 */
export async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heard = { arrived: [] as number[], drawn: [] as number[], bytes: 0 };
    Object.assign(window, { heard });
    const now = () => performance.timeOrigin + performance.now();
    const newestIn = (text: string) => Number([...text.matchAll(/@(\d{13}\.\d)@/g)].at(-1)?.[1] ?? 0);
    const noted = { arrived: 0, drawn: 0 };
    const note = (what: 'arrived' | 'drawn', at: number) => {
      if (at > noted[what]) heard[what].push(now() - at);
      noted[what] = Math.max(noted[what], at);
    };
    const decoder = new TextDecoder();
    const Original = WebSocket;
    class Listening extends Original {
      constructor(url: string | URL) {
        super(url);
        this.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
          heard.bytes += typeof data === 'string' ? data.length : data.byteLength;
          if (typeof data !== 'string') note('arrived', newestIn(decoder.decode(data)));
        });
      }
    }
    Object.assign(window, { WebSocket: Listening });
    const afterFrame = new MessageChannel();
    afterFrame.port1.onmessage = () =>
      note('drawn', newestIn(document.querySelector('.xterm-rows, .bare')?.textContent ?? ''));
    const next = () => {
      afterFrame.port2.postMessage(0);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}

/** What it has received since it was asked last. */
export const takeHeard = (page: Page): Promise<Heard> =>
  page.evaluate(() => {
    const { heard } = window as unknown as { heard: { arrived: number[]; drawn: number[]; bytes: number } };
    const taken = { arrived: heard.arrived.splice(0), drawn: heard.drawn.splice(0), bytes: heard.bytes };
    heard.bytes = 0;
    return taken;
  });
