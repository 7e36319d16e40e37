import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenedStore, openStore, runEventOf, runStarted, runStream, type WorkflowTemplate } from '@devs/core';
import { createMemoryBackend } from '@devs/core/testing';
import { issueChallenge, type Seat } from '@devs/terminals/admission';
import { connectSupervisor, type SupervisorClient } from '../client/connect-supervisor.js';
import { createServer, type ServerDeps } from '../create-server.js';
import type { Action } from '../http/create-app.js';
import { createFakeSupervisor, type FakeSupervisor } from './fake-supervisor.js';

/** A server on its own socket, over a store in memory and a fake supervisor. */
export interface World {
  readonly folder: string;
  readonly socketPath: string;
  readonly supervisor: FakeSupervisor;
  readonly opened: OpenedStore;
  readonly actions: Action[];
  readonly server: ReturnType<typeof createServer>;
  readonly bugs: unknown[];
  connect(): Promise<SupervisorClient>;
  /** Where callers sit from now on. */
  seat: Seat;
  /** The server goes, and another one takes its place. */
  restart(): Promise<void>;
  dispose(): Promise<void>;
}

export const SHOP = '/shop';

export async function openWorld({
  supervisor = createFakeSupervisor(),
  clock = { now: Date.now },
  ...options
}: { readonly supervisor?: FakeSupervisor; readonly clock?: ServerDeps['clock'] } & Pick<
  ServerDeps,
  'limits' | 'keptIn' | 'pageFile' | 'onViewers'
> = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'devs-api-'));
  const socketPath = join(folder, 'api.sock');
  const backend = createMemoryBackend();
  const store = openStore({ backend, clock: { now: Date.now }, newId: randomUUID });
  const opened: OpenedStore = { backend, store: { ...store, close: async () => {} } };
  const clients: SupervisorClient[] = [];
  const actions: Action[] = [];
  const bugs: unknown[] = [];
  const makeServer = () =>
    createServer({
      supervisor,
      version: '1',
      clock,
      projects: { list: async () => [{ root: SHOP, location: { kind: 'project' } }], open: async () => opened },
      files: {
        'workflows.list': async () => ({ workflows: [] }),
        'workflows.get': async () => ({ name: 'a', path: 'a.yaml', origin: 'shipped', source: '' }),
        'settings.get': async () => ({ settings: [], problems: [] }),
        'doctor.run': async () => ({ ok: true, findings: [] }),
      },
      onAction: (action) => actions.push(action),
      onBug: (error) => bugs.push(error),
      ...options,
    });
  const admission = { issueChallenge: () => issueChallenge(folder), seatOf: () => world.seat };
  let server = makeServer();
  await server.listenSocket(socketPath, admission);
  const world: World = {
    folder,
    socketPath,
    supervisor,
    opened,
    actions,
    bugs,
    get server() {
      return server;
    },
    seat: { kind: 'outside' },
    async connect() {
      const client = await connectSupervisor(socketPath);
      if (client === undefined) throw new Error('nobody listens');
      clients.push(client);
      return client;
    },
    async restart() {
      await server.close();
      server = makeServer();
      await server.listenSocket(socketPath, admission);
    },
    async dispose() {
      for (const client of clients) client.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

const TEMPLATE: WorkflowTemplate = {
  name: 'small',
  description: 'One step.',
  steps: [{ id: 'plan', type: 'action', instructions: 'Plan it.' }],
};

/** A run with an open question, as a supervisor would have stored it. */
export async function storeRun({ store }: OpenedStore, id: string, terminal = 'shop'): Promise<void> {
  await store.log.append(runStream(id), 0, [
    runStarted({ template: TEMPLATE, source: { path: 'small.yaml', digest: 'x' } }),
    runEventOf({
      type: 'run.prepared',
      request: 'Add a cart',
      workflow: 'small',
      agent: 'claude',
      place: 'own',
      folder: SHOP,
    }),
    runEventOf({ type: 'run.begun', by: 'somebody', terminal }),
    runEventOf({ type: 'escalation.raised', escalationId: `q-${id}`, question: 'Euro or Dollar?', diagnosis: '' }),
  ]);
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** A request as anybody may write it. */
export const ask = (
  where: { readonly socketPath: string } | { readonly port: number },
  {
    method = 'GET',
    path,
    headers = {},
    body,
  }: { method?: string; path: string; headers?: Record<string, string>; body?: string },
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request({ ...where, host: '127.0.0.1', method, path, headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
