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
  /** Milliseconds from printing a frame to its arrival in the page. */
  readonly delays: readonly number[];
  readonly bytes: number;
}

/** Notes every message of every socket that the page opens: frames carry the time at which they were printed. */
export async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heard = { delays: [] as number[], bytes: 0 };
    Object.assign(window, { heard });
    const Original = WebSocket;
    class Listening extends Original {
      constructor(url: string | URL) {
        super(url);
        this.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
          const now = Date.now();
          const isText = typeof data === 'string';
          heard.bytes += isText ? data.length : data.byteLength;
          const text = isText ? '' : new TextDecoder().decode(data);
          for (const [, at] of text.matchAll(/@(\d{13})@/g)) heard.delays.push(now - Number(at));
        });
      }
    }
    Object.assign(window, { WebSocket: Listening });
  });
}

export const heardBy = (page: Page): Promise<Heard> =>
  page.evaluate(() => (window as unknown as { heard: Heard }).heard);

export const forget = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign((window as unknown as { heard: object }).heard, { delays: [], bytes: 0 });
  });
