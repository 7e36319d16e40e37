import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Output, Terminal } from '@devs/api';
import { type ConversationEntry, type OpenedStore, openStore } from '@devs/core';
import { createMemoryBackend } from '@devs/core/testing';
import { createServer, type ServedSupervisor } from '@devs/server';
import { connectSupervisor } from '@devs/server/client';
import { issueChallenge } from '@devs/terminals/admission';
import { openTestHost, type TestHost } from '@devs/terminals/testing';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP rebound.test 127.0.0.1`,
];
const PAGE = fileURLToPath(new URL('../../dist/page', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Whether there is a browser; says so once where there is none and none is required. */
export function hasChromium(): boolean {
  if (existsSync(CHROMIUM)) return true;
  if (process.env.DEVS_REQUIRE_CHROMIUM === '1') throw new Error(`${CHROMIUM} is required and not installed`);
  process.stderr.write('devs: the page is not tested in a browser: no Chromium (apt-get install chromium)\n');
  return false;
}

export const startBrowser = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

export const SHOP = '/shop';

/** A server of the page over a store in memory, and a supervisor that supervises nothing. */
export interface PageWorld {
  readonly opened: OpenedStore;
  readonly port: number;
  /** What the supervisor was asked to do. */
  readonly asked: { readonly operation: string; readonly input: unknown }[];
  /** What the supervisor says is there; a change of the list is seen at the next look of the page. */
  readonly terminals: Terminal[];
  /** What the record of each conversation holds, by its path. */
  readonly conversations: Map<string, ConversationEntry[]>;
  readonly settings: Output<'settings.get'>['settings'];
  /** A host of real terminals, opened at the first call. */
  host(): Promise<TestHost>;
  makeLink(): Promise<string>;
  /** Every connection is cut, and another supervisor takes the place of the one before. The page is not served during `meanwhile`. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  dispose(): Promise<void>;
}

export async function openPageWorld(): Promise<PageWorld> {
  const keptIn = mkdtempSync(join(tmpdir(), 'devs-page-'));
  const socketPath = join(keptIn, 'api.sock');
  const backend = createMemoryBackend();
  const store = openStore({ backend, clock: { now: Date.now }, newId: randomUUID });
  const opened: OpenedStore = { backend, store: { ...store, close: async () => {} } };
  const asked: PageWorld['asked'] = [];
  const terminals: Terminal[] = [];
  const conversations: PageWorld['conversations'] = new Map();
  const settings: PageWorld['settings'] = [];
  let testHost: Promise<TestHost> | undefined;
  const host = () => {
    testHost ??= openTestHost();
    return testHost;
  };
  const open = async () => {
    const made = createServer({
      supervisor: fakeSupervisor({ asked, terminals, host: async () => (await host()).host }),
      version: '1',
      clock: { now: Date.now },
      projects: { list: async () => [{ root: SHOP, location: { kind: 'project' } }], open: async () => opened },
      files: {
        'workflows.list': async () => ({ workflows: [] }),
        'settings.get': async () => ({ settings, problems: [] }),
        'settings.change': async ({ setting }) => ({
          status: 'refused',
          reason: `${setting} is changed by nobody here`,
        }),
        'recall.search': async ({ words }) => ({
          results: [{ kind: 'reply', text: `about ${words}`, agent: 'claude', transcript: '/a.jsonl', line: 1 }],
          conversations: 1,
        }),
      },
      conversation: async ({ path }) => ({ entries: conversations.get(path) ?? [], kept: null, startedOver: true }),
      diff: async () =>
        'diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-old\n+<script>hack()</script>\n',
      keptIn,
      pageFile,
    });
    await made.listenSocket(socketPath, {
      issueChallenge: () => issueChallenge(keptIn),
      seatOf: () => ({ kind: 'outside' }),
    });
    return { made, port: await made.listenLoopback({ keptIn }) };
  };
  let server = await open();
  return {
    opened,
    asked,
    terminals,
    conversations,
    settings,
    host,
    port: server.port,
    async makeLink() {
      const client = await connectSupervisor(socketPath);
      const { url } = (await client?.call('links.make', {})) ?? { url: '' };
      client?.close();
      return url;
    },
    async restart(meanwhile) {
      await server.made.close();
      await meanwhile?.();
      server = await open();
    },
    async dispose() {
      await server.made.close();
      if (testHost !== undefined) await (await testHost).dispose();
      rmSync(keptIn, { recursive: true });
    },
  };
}

async function pageFile(path: string) {
  if (path.startsWith('/v1/')) return undefined;
  const file = /^\/(assets\/|icon\.svg|manifest)/.test(path) ? join(PAGE, path) : join(PAGE, 'index.html');
  const bytes = await readFile(file).catch(() => undefined);
  return bytes && { bytes: new Uint8Array(bytes), type: TYPES[extname(file)] ?? 'application/octet-stream' };
}

interface FakeDeps {
  readonly asked: PageWorld['asked'];
  readonly terminals: readonly Terminal[];
  readonly host: ServedSupervisor['host'];
}

function fakeSupervisor({ asked, terminals, host }: FakeDeps): ServedSupervisor {
  const answer =
    <Value>(operation: string, value: Value) =>
    async (input: unknown): Promise<Value> => {
      asked.push({ operation, input });
      return value;
    };
  return {
    handlers: {
      'status.get': async () => ({
        version: '1',
        pid: 1,
        startedAt: 0,
        keeps: 'while-busy',
        runs: [],
        terminals: [],
        problems: [],
      }),
      'terminals.list': async () => ({ terminals: [...terminals] }),
      'terminals.send': answer('terminals.send', { kind: 'delivered', enters: 1 } as const),
      'terminals.interrupt': answer('terminals.interrupt', {
        kind: 'seen',
        told: { kind: 'delivered', enters: 1 },
      } as const),
      'terminals.renew': answer('terminals.renew', {
        status: 'renewed',
        refreshCount: 1,
        grants: [],
        alsoEnded: [],
      } as const),
      'runs.stop': answer('runs.stop', { status: 'stopped' } as const),
      'runs.resume': answer('runs.resume', { status: 'started', run: 'shop', notes: [] } as const),
      'runs.merge': answer('runs.merge', { outcome: 'merged', into: 'main', commit: 'c', how: 'merged' } as const),
    },
    host,
    runOf: () => undefined,
    user() {},
    onNotice: () => () => {},
    onChange: () => () => {},
  };
}

/** A busy machine is no reason to fail. */
export const PATIENCE_MS = 150_000;

/** What Chromium says while no supervisor listens. */
const AWAY = /ERR_CONNECTION_(?:REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_SOCKET|WebSocket connection to/;

/** A tab that is signed in; every error in its console is kept, also what its policy refused. */
export async function openTab(browser: Browser, world: Pick<PageWorld, 'makeLink'>): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`;
    if (message.type() === 'error' && !AWAY.test(text)) problems.push(text);
  });
  // The console names only the address of a refused request; this says why it was refused.
  page.on('response', async (response) => {
    if (response.status() >= 500) problems.push(await response.text().catch(() => response.url()));
  });
  await page.goto(await world.makeLink());
  await page.waitForSelector('.fresh[data-state=live]');
  return { context, page, problems };
}

export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly problems: readonly string[];
}

/** To another view, without loading the page again. */
export const show = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** A terminal as the supervisor tells of it. */
export const terminalOf = (name: string, changes: Partial<Terminal> = {}): Terminal => ({
  name,
  agent: 'claude',
  folder: SHOP,
  activity: 'busy',
  usage: { usedTokens: 60_000, windowTokens: 200_000 },
  isRenewing: false,
  renewals: 0,
  contextRefreshCount: 0,
  contextRefreshState: null,
  isSupervised: true,
  isAttended: false,
  ...changes,
});

/** The page shows what the store has. */
export async function caughtUp({ page }: Tab, { opened }: PageWorld): Promise<void> {
  const { position } = await opened.store.state();
  await page.waitForSelector(`.fresh[data-state=live][data-position="${position}"]`);
}
