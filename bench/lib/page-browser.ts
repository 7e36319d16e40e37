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

/** What a page has received on its socket. */
export interface Heard {
  /** Milliseconds from printing a frame to the moment after the browser has drawn it. */
  readonly delays: readonly number[];
  readonly bytes: number;
}

/**
 * Counts the bytes of every socket that the page opens, and reads the newest printed time once a frame is drawn: a task
 * that a frame callback posts runs when that frame is drawn.
 */
export async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heard = { delays: [] as number[], bytes: 0 };
    Object.assign(window, { heard });
    const Original = WebSocket;
    class Listening extends Original {
      constructor(url: string | URL) {
        super(url);
        this.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
          heard.bytes += typeof data === 'string' ? data.length : data.byteLength;
        });
      }
    }
    Object.assign(window, { WebSocket: Listening });
    let newest = 0;
    const drawn = new MessageChannel();
    drawn.port1.onmessage = () => {
      const text = document.querySelector('.xterm-rows, .bare')?.textContent ?? '';
      const at = Number([...text.matchAll(/@(\d{13})@/g)].at(-1)?.[1] ?? 0);
      if (at > newest) heard.delays.push(Date.now() - at);
      newest = Math.max(newest, at);
    };
    const next = () => {
      drawn.port2.postMessage(0);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}

export const heardBy = (page: Page): Promise<Heard> =>
  page.evaluate(() => (window as unknown as { heard: Heard }).heard);

export const forget = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign((window as unknown as { heard: object }).heard, { delays: [], bytes: 0 });
  });
