import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_SETTINGS, type Dispatcher, type TaskRecord } from '@devs/core';
import { onTestFinished } from 'vitest';
import type { TerminalNotice } from '../../notice.js';
import { newRun, openRunWorld, type RunWorldOptions } from '../../run/__tests__/run-world.js';
import type { RunParts } from '../../run/run.js';
import type { SuperviseRequest } from '../../supervised-terminal.js';
import { createSupervisor } from '../create-supervisor.js';
import type { Caller, MergeNews, QueueOrder, RunOrder, StoreAddress } from '../port.js';
import type { TerminalOrder } from '../terminal-port.js';
import { createVault } from '../vault.js';
import type { Workshop } from '../workshop.js';

/** Hands out nothing. */
const idleDispatcher: Dispatcher = {
  issue: async () => {},
  serve: (_machine, _work, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    }),
  hold: async () => {},
  close: async () => {},
};

/** Supervisors that follow one another, over one store, one vault and one host. */
export async function openSupervisorWorld(options: RunWorldOptions = {}) {
  const here = await openRunWorld({ git: true, ...options });
  const folder = mkdtempSync(join(tmpdir(), 'devs-supervisor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const kept = new Map<string, string>();
  const vault = createVault(folder, {
    async entrust(name, data) {
      if (data === undefined) kept.delete(name);
      else kept.set(name, data);
    },
    entrusted: async (name) => kept.get(name),
  });
  const merged: string[] = [];
  const addresses: StoreAddress[] = [];
  const merge = async (run: string): Promise<MergeNews> => {
    merged.push(run);
    return { isMerged: true, text: 'merged' };
  };
  const template = (description = '') =>
    here.template(description.split('|').map((instructions, at) => ({ id: `do-${at}`, instructions })));
  const told: TerminalNotice[] = [];
  const supervisor = (
    by: string,
    changes: Partial<RunParts> = {},
    {
      onEnd = () => {},
      workshop = {},
      terminal = {},
      patienceMs = 10_000,
    }: {
      patienceMs?: number;
      onEnd?: () => void;
      workshop?: Partial<Workshop>;
      terminal?: Partial<SuperviseRequest>;
    } = {},
  ) => {
    const opened = {
      parts: { ...here.parts, by, ...changes },
      planFor: (_: QueueOrder, { intent, description }: TaskRecord) =>
        newRun(template(description), here.world.project, true, { request: intent }) as never,
      began() {},
      tellEnd() {},
      merge,
      async tidy() {},
      joinFleet: async () => ({
        dispatcher: idleDispatcher,
        facts: { name: 'here', slots: 1, labels: [], agents: [], version: '1' },
      }),
      async close() {},
    };
    return createSupervisor({
      version: '1',
      pid: process.pid,
      workshop: {
        async open({ store }) {
          addresses.push(store);
          return opened;
        },
        openHost: () => here.parts.openHost(),
        openTerminal: async ({ name }: TerminalOrder) => ({
          request: here.world.request({ name, by, launch: undefined, ...terminal }),
          tell: (notice: TerminalNotice) => void told.push(notice),
          async close() {},
        }),
        ...workshop,
      },
      vault,
      clock: Date,
      newId: here.parts.newId,
      patienceMs,
      onChange() {},
      onEnd,
      problems: () => [],
    });
  };
  const order = {
    token: here.parts.newId(),
    store: { kind: 'project' },
    agent: 'fixture',
    settings: DEFAULT_SETTINGS,
    trustsFolder: true,
    merge: false,
  } as const;
  const queueOrder = (parallel = 1): QueueOrder =>
    ({ ...order, settings: { ...DEFAULT_SETTINGS, parallel }, workflow: {}, plan: {} }) as unknown as QueueOrder;
  const runOrder = (description: string): RunOrder => ({
    ...order,
    onEscalation: 'wait',
    subject: newRun(template(description), here.world.project, true, {}) as never,
  });
  const caller: Caller = { folder: here.world.project, environment: {} };
  const begun = async () =>
    (await here.world.store.log.read({ limit: 100_000 })).filter(({ type }) => type === 'run.prepared');
  /** The host is gone, with what it remembered. */
  const forgetKeys = () => kept.clear();
  return { here, vault, folder, forgetKeys, addresses, merged, told, supervisor, queueOrder, runOrder, caller, begun };
}
