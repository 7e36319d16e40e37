import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '@devs/core';
import { createMemoryBackend } from '@devs/core/testing';
import { createServer, type ServedSupervisor } from '@devs/server';
import { connectSupervisor } from '@devs/server/client';
import { issueChallenge } from '@devs/terminals/admission';
import { openTestHost, type TestHost } from '@devs/terminals/testing';
import { STATUS } from './api-world.js';

/** The real server, the page as it is built, and real terminals. */
export interface PageWorld {
  readonly host: TestHost;
  readonly store: ReturnType<typeof openStore>;
  readonly names: string[];
  makeLink(): Promise<string>;
  close(): Promise<void>;
}

const PAGE = fileURLToPath(new URL('../../../packages/dashboard/dist/page', import.meta.url));
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const ROOT = '/bench';

export async function openPageWorld(): Promise<PageWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'devs-bench-page-'));
  const socketPath = join(folder, 'api.sock');
  const host = await openTestHost();
  const backend = createMemoryBackend();
  const store = openStore({ backend, clock: { now: Date.now }, newId: randomUUID });
  const names: string[] = [];
  const supervisor = {
    handlers: {
      'status.get': async () => STATUS,
      'terminals.list': async () => ({ terminals: names.map(terminalOf) }),
    },
    host: async () => host.host,
    runOf: () => undefined,
    user() {},
    onNotice: () => () => {},
    onChange: () => () => {},
  } as unknown as ServedSupervisor;
  const server = createServer({
    supervisor,
    projects: {
      list: async () => [{ root: ROOT, location: { kind: 'project' } }],
      open: async () => ({ backend, store: { ...store, close: async () => {} } }),
    },
    files: {},
    version: '1',
    clock: { now: Date.now },
    keptIn: folder,
    pageFile,
  });
  await server.listenSocket(socketPath, {
    issueChallenge: () => issueChallenge(folder),
    seatOf: () => ({ kind: 'outside' }),
  });
  return {
    host,
    store,
    names,
    async makeLink() {
      const client = await connectSupervisor(socketPath);
      const { url } = (await client?.call('links.make', {})) ?? { url: '' };
      client?.close();
      return url;
    },
    async close() {
      await server.close();
      await host.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function pageFile(path: string) {
  if (path.startsWith('/v1/')) return undefined;
  const file = join(PAGE, /^\/(assets\/|icon\.svg|manifest)/.test(path) ? path : 'index.html');
  const bytes = await readFile(file).catch(() => undefined);
  return bytes && { bytes: new Uint8Array(bytes), type: TYPES[extname(file)] ?? 'application/octet-stream' };
}

const terminalOf = (name: string) => ({
  name,
  agent: 'claude',
  folder: ROOT,
  activity: 'busy',
  isRenewing: false,
  renewals: 0,
  contextRefreshCount: 0,
  contextRefreshState: null,
  isSupervised: true,
  isAttended: false,
});
