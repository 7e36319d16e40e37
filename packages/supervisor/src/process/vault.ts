import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isKeptBack } from '@devs/core';
import type { Caller, QueueOrder, RunOrder } from './port.js';

/** What somebody entrusted to a supervisor and is not over. */
export type Entrusted = {
  readonly id: string;
  readonly caller: Caller;
} /** `after`: how many records it had when it was entrusted. */ & (
  | { readonly kind: 'run'; readonly order: RunOrder; readonly after?: number }
  | { readonly kind: 'queue'; readonly order: QueueOrder }
);

/** `missing`: the names of what was kept in memory alone, and is gone. */
type Recalled = Entrusted & { readonly missing: readonly string[] };

/** The memory that outlives a supervisor, and ends with the machine. */
export interface SecretMemory {
  entrust(name: string, data: string | undefined): Promise<void>;
  entrusted(name: string): Promise<string | undefined>;
}

/** What the next supervisor continues: everything on disk for the user alone, but for the keys. */
export interface Vault {
  keep(entrusted: Entrusted): Promise<void>;
  forget(id: string): Promise<void>;
  list(): Promise<readonly Recalled[]>;
}

const ENDING = '.json';
const SAFE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;
/** No name of a variable, so that it meets none. */
const STORE_URL = 'the address of the store';

export function createVault(folder: string, memory: SecretMemory): Vault {
  const pathOf = (id: string) => join(folder, `${id}${ENDING}`);
  return {
    async keep(entrusted) {
      if (!SAFE.test(entrusted.id)) throw new Error(`"${entrusted.id}" is no name of a run`);
      const { kept, keys } = apart(entrusted);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
      await memory.entrust(entrusted.id, JSON.stringify(keys));
      const draft = join(folder, `.${randomUUID()}`);
      writeFileSync(draft, JSON.stringify({ version: 1, ...kept, withheld: Object.keys(keys) }), { mode: 0o600 });
      renameSync(draft, pathOf(entrusted.id)); // nobody ever reads half of it
    },
    async forget(id) {
      rmSync(pathOf(id), { force: true });
      await memory.entrust(id, undefined).catch(() => {}); // a host that is gone remembers nothing
    },
    async list() {
      const found: Recalled[] = [];
      for (const id of idsIn(folder)) {
        const stored = read(pathOf(id));
        if (stored === undefined) continue;
        const data = await memory.entrusted(id).catch(() => undefined);
        found.push(together(stored, data === undefined ? {} : (JSON.parse(data) as Readonly<Record<string, string>>)));
      }
      return found;
    },
  };
}

type Stored = Entrusted & { readonly withheld: readonly string[] };

/** What may open doors is kept from the disk. Pure. */
function apart(entrusted: Entrusted): { readonly kept: Entrusted; readonly keys: Readonly<Record<string, string>> } {
  const { caller, order } = entrusted;
  const all = Object.entries(caller.environment);
  const keys = Object.fromEntries(all.filter(([name, value]) => isKey(name, value)));
  const environment = Object.fromEntries(all.filter(([name]) => !(name in keys)));
  const { store } = order;
  const isRedis = store.kind === 'redis';
  return {
    kept: {
      ...entrusted,
      caller: { ...caller, environment },
      order: { ...order, ...(isRedis ? { store: { kind: 'redis', url: '' } } : {}) },
    } as Entrusted,
    keys: isRedis ? { ...keys, [STORE_URL]: store.url } : keys,
  };
}

/** Pure. */
function together({ withheld, ...stored }: Stored, keys: Readonly<Record<string, string>>): Recalled {
  const { order, caller } = stored;
  const { [STORE_URL]: url = '', ...variables } = keys;
  return {
    ...stored,
    caller: { ...caller, environment: { ...caller.environment, ...variables } },
    order: order.store.kind === 'redis' ? { ...order, store: { kind: 'redis', url } } : order,
    missing: withheld.filter((name) => keys[name] === undefined),
  } as Recalled;
}

/** Where the door is, and not what opens it. */
const HARMLESS = new Set(['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'XAUTHORITY']);

/** `postgres://user:password@host`, and not `http://host:80/@page`. */
const ADDRESS_WITH_PASSWORD = /:\/\/[^\s/:@]*:(?!\d{1,5}[/,?#])\S+@/;
/** `https://token@host`. */
const ADDRESS_WITH_TOKEN = /https?:\/\/[^\s/:@]+@/i;

/** Commands get an address with its password, because they need it; the disk does not. */
const isKey = (name: string, value: string): boolean =>
  !HARMLESS.has(name) &&
  (isKeptBack(name, value) || ADDRESS_WITH_PASSWORD.test(value) || ADDRESS_WITH_TOKEN.test(value));

function idsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(ENDING))
      .map((file) => file.slice(0, -ENDING.length))
      .filter((id) => SAFE.test(id))
      .sort();
  } catch {
    return []; // none yet
  }
}

function read(path: string): Stored | undefined {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Stored & { readonly version: number };
    return stored.version === 1 && (stored.kind === 'run' || stored.kind === 'queue') ? stored : undefined;
  } catch {
    return undefined; // not one of ours
  }
}
