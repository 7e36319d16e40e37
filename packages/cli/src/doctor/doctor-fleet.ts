import type { Services } from '../compose.js';
import { settingsOf } from '../config/load-settings.js';
import { chooseStore, type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import type { Finding } from './doctor-terminals.js';

/** More than a network takes, and less than leases last. */
const MOST_SKEW_MS = 5_000;

/** What machines that share a store need of this one: the remote, and a clock. Nothing for a store of one machine. */
export async function examineFleet(options: StoreOptions, services: Services): Promise<readonly Finding[]> {
  if (chooseStore(options, services).kind !== 'redis') return [];
  return [await examineRemote(services), ...(await examineClock(options, services))];
}

async function examineRemote(services: Services): Promise<Finding> {
  const { layers } = await services.settingsFiles.read();
  const { remote } = settingsOf(layers).settings.fleet;
  const found = await services.travel.reach((await services.records.here()).root, remote);
  switch (found.outcome) {
    case 'no-remote':
      return {
        level: 'problem',
        text: `remote: this clone has no remote "${remote}", through which work travels. Add one: git remote add ${remote} URL`,
      };
    case 'silent':
      return { level: 'problem', text: `remote: ${remote} does not answer: ${found.message}` };
    case 'answers':
      return found.mayBePublic
        ? { level: 'warning', text: `remote: ${found.where} answers; if it is public, so is the work of runs` }
        : { level: 'ok', text: `remote: ${found.where} answers` };
  }
}

async function examineClock(options: StoreOptions, services: Services): Promise<readonly Finding[]> {
  const { clock } = services;
  const skewMs = await withExistingStore<number | undefined>(
    services,
    options,
    async ({ backend }) => {
      const before = clock.now();
      const there = await backend.leaseTime(clock);
      return (before + clock.now()) / 2 - there;
    },
    () => undefined,
  ).catch(() => undefined); // the store itself is examined elsewhere
  if (skewMs === undefined) return [];
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (Math.abs(skewMs) < MOST_SKEW_MS) return [{ level: 'ok', text: 'clock: agrees with that of the store' }];
  const how = skewMs > 0 ? 'ahead of' : 'behind';
  return [
    {
      level: 'warning',
      text: `clock: ${seconds} s ${how} that of the store. Leases go by the store's clock, but times in the log are wrong; set up NTP`,
    },
  ];
}
