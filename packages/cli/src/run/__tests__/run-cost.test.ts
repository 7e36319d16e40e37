import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Budget, DEFAULT_SETTINGS, openStore, type TokenPrice } from '@devs/core';
import { createMemoryBackend } from '@devs/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createLocalRuns } from '../create-local-runs.js';

/** What the supervisor is told of the cost of a call, with this budget in the settings. */
async function costWith(budget: Budget & { readonly price?: TokenPrice }) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'devs-run-cost-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = { now: () => 0 };
  const runs = createLocalRuns({
    loadSupervisor: () => import('@devs/supervisor'),
    loadMcp: () => import('@devs/mcp'),
    loadWorktree: () => import('@devs/worktree'),
    loadStores: () => import('@devs/store'),
    driverOf: async () =>
      (await import('@devs/drivers')).createBuiltinDriver({ clock, version: '1.2.3', command: ['devs', 'agent'] }),
    here: async () => ({ root: home, file: join(home, '.devs', 'state.db') }),
    env: { HOME: home, XDG_STATE_HOME: join(home, 'state') },
    platform: 'linux',
    home,
    hostName: 'here',
    clock,
    newId: () => 'id',
    by: 'anna',
    devsCommand: ['devs'],
    hasScriptedModel: true,
  });
  const settings = { ...DEFAULT_SETTINGS, budget: { day: {}, ...budget } };
  const order = { settings, agent: 'builtin', store: { kind: 'project' }, trustsFolder: false } as const;
  const store = openStore({ backend: createMemoryBackend(), clock, newId: () => 'id' });
  const { parts } = await runs.prepare(order, { store });
  return parts.costOf?.({ inputTokens: 1_000_000, cachedTokens: 0, outputTokens: 100_000 });
}

it('counts the money of a run by the prices in the settings, and knows none without them', async () => {
  expect(await costWith({ usd: 5, price: { input: 3, output: 15 } })).toBe(4.5);
  expect(await costWith({})).toBeUndefined();
});
