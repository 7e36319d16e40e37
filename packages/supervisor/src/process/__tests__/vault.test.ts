import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_SETTINGS } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVault, type Entrusted, type SecretMemory } from '../vault.js';

function memoryOf(kept = new Map<string, string>()): SecretMemory {
  return {
    async entrust(name, data) {
      if (data === undefined) kept.delete(name);
      else kept.set(name, data);
    },
    entrusted: async (name) => kept.get(name),
  };
}

function openVault(memory: SecretMemory) {
  const folder = mkdtempSync(join(tmpdir(), 'devs-vault-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const written = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
  return { folder, vault: createVault(folder, memory), written };
}

/** Its name looks like that of a password, and its end like a random one. */
const FOLDER = '/tmp/shop-BZ9nxy-8f3a2c1d9e7b';

const RUN: Entrusted = {
  id: 'run-1',
  kind: 'run',
  caller: {
    folder: '/shop',
    environment: {
      PATH: '/usr/bin',
      SSH_AUTH_SOCK: '/run/agent',
      PWD: FOLDER,
      OPENAI_API_KEY: 'sk-one',
      SHOP_TOKEN: 'two-9f8e7d6c5b4a39281716',
    },
  },
  order: {
    token: 't',
    store: { kind: 'redis', url: 'redis://:three@host' },
    agent: 'builtin',
    settings: DEFAULT_SETTINGS,
    trustsFolder: true,
    merge: false,
    onEscalation: 'wait',
    subject: { runId: 'run-1' },
  },
};

describe('what is entrusted to a supervisor', () => {
  it('is given to the next one whole, while the memory of the host lasts', async () => {
    const { vault } = openVault(memoryOf());
    await vault.keep(RUN);
    expect(await vault.list()).toEqual([{ ...RUN, version: 1, missing: [] }]);
  });

  it('is on disk for the user alone, and without the keys', async () => {
    const { vault, folder, written } = openVault(memoryOf());
    await vault.keep(RUN);
    for (const secret of ['sk-one', 'two', 'three']) expect(written()).not.toContain(`"${secret}`);
    expect(written()).not.toContain('redis://');
    expect(written()).toContain('/run/agent');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
  });

  it('keeps an address with a password from the disk, and any other address on it', async () => {
    const addresses = {
      DATABASE_URL: 'postgres://anna:pw-four@db/shop',
      HTTPS_PROXY: 'http://anna:pw/four@proxy:3128',
      REDIS: 'redis://:pw-four@host:6379/0',
      PIP_INDEX_URL: 'https://pw-four@pypi.example/simple',
    };
    const harmless = {
      HTTP_PROXY: 'http://proxy:3128',
      DOCS: 'https://host:8080/@shop/x',
      ORIGIN: 'ssh://git@host/shop',
    };
    const run = { ...RUN, caller: { ...RUN.caller, environment: { ...addresses, ...harmless } } };
    const kept = new Map<string, string>();
    const { vault, written } = openVault(memoryOf(kept));

    await vault.keep(run);

    expect(written()).not.toMatch(/pw.four/);
    expect(await vault.list()).toEqual([{ ...run, version: 1, missing: [] }]);
    kept.clear();
    expect((await vault.list())[0]?.caller.environment).toEqual(harmless);
  });

  it('keeps the address of a store without a password on disk', async () => {
    const kept = new Map<string, string>();
    const { vault } = openVault(memoryOf(kept));
    const store = { kind: 'redis', url: 'redis://host:6379/3' } as const;
    const environment = { DEVS_STORE: store.url };
    await vault.keep({ ...RUN, caller: { ...RUN.caller, environment }, order: { ...RUN.order, store } } as Entrusted);
    kept.clear();
    expect(await vault.list()).toMatchObject([{ missing: [], order: { store }, caller: { environment } }]);
  });

  it('keeps what was asked for without the secrets in it', async () => {
    const kept = new Map<string, string>();
    const { vault, written } = openVault(memoryOf(kept));
    const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
    const plan = { request: `Fetch the list with ${secret}`, workflow: 'feature', agent: 'builtin', place: 'own' };
    const run = { ...RUN, order: { ...RUN.order, subject: { runId: 'run-1', plan } } } as unknown as Entrusted;
    await vault.keep(run);
    expect(written()).toContain('Fetch the list with');
    expect(written()).not.toContain(secret);
    expect(await vault.list()).toEqual([{ ...run, version: 1, missing: [] }]);
    kept.clear();
    expect((await vault.list())[0]?.order).toMatchObject({ token: 't', subject: { plan: { workflow: 'feature' } } });
    expect((await vault.list())[0]?.missing).not.toContain('what was asked for');
  });

  it('says which keys are gone with the host', async () => {
    const kept = new Map<string, string>();
    const { vault } = openVault(memoryOf(kept));
    await vault.keep(RUN);
    kept.clear();
    const [recalled] = await vault.list();
    expect(recalled?.missing).toEqual(['OPENAI_API_KEY', 'SHOP_TOKEN', 'DEVS_STORE']);
    expect(recalled?.caller.environment).toEqual({
      PATH: '/usr/bin',
      SSH_AUTH_SOCK: '/run/agent',
      PWD: FOLDER,
    });
  });

  it('is gone once it is over', async () => {
    const { vault, folder } = openVault(memoryOf());
    await vault.keep(RUN);
    await vault.forget('run-1');
    expect([await vault.list(), readdirSync(folder)]).toEqual([[], []]);
  });
});
