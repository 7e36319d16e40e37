import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isKeptBack, type JsonObject, jsonOf, redactJson } from '@devs/core';
import { STORE_VARIABLE } from './keys.js';
import type { Caller, QueueOrder, RunOrder } from './port.js';
import type { TerminalOrder } from './terminal-port.js';

/** An entrusted job that is not over. */
export type Entrusted = {
  readonly id: string;
  readonly caller: Caller;
} /** `after`: how many records it had when it was entrusted. */ & (
  | { readonly kind: 'run'; readonly order: RunOrder; readonly after?: number }
  | {
      readonly kind: 'queue';
      readonly order: QueueOrder;
      /** Those that it has begun. */
      readonly runs?: readonly string[];
    }
  | { readonly kind: 'terminal'; readonly order: TerminalOrder; readonly isAttended: boolean }
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
/** No names of variables, so that they meet none. */
const STORE_URL = 'the address of the store';
const WORDS = 'what was asked for';

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
      writeFileSync(
        draft,
        JSON.stringify({ version: 1, ...kept, withheld: Object.keys(keys).filter((name) => name !== WORDS) }),
        { mode: 0o600 },
      );
      renameSync(draft, pathOf(entrusted.id)); // no reader sees half of it
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
        const keys = data === undefined ? {} : (JSON.parse(data) as Readonly<Record<string, string>>);
        found.push(together(stored, keys));
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
  const words = wordsOf(order);
  const safe = 'settings' in order ? redactJson(words) : withoutArguments(words);
  const { store } = order;
  const isSecret = store.kind === 'redis' && holdsPassword(store.url);
  return {
    kept: {
      ...entrusted,
      caller: { ...caller, environment },
      order: { ...order, ...safe, ...(isSecret ? { store: { kind: 'redis', url: '' } } : {}) },
    } as Entrusted,
    keys: {
      ...keys,
      ...(isSecret ? { [STORE_URL]: store.url } : {}),
      ...(safe === words ? {} : { [WORDS]: JSON.stringify(words) }),
    },
  };
}

/** What people wrote. A secret in it is not in the records of a run either. */
function wordsOf(order: Entrusted['order']): JsonObject {
  if (!('settings' in order)) return jsonOf({ subject: order.subject });
  const { settings } = order;
  const words =
    'subject' in order
      ? { settings, subject: order.subject }
      : { settings, plan: order.plan, workflow: order.workflow };
  return jsonOf(words);
}

/** The arguments of an agent are in its records, without those that look like a secret. */
const withoutArguments = (words: JsonObject): JsonObject => {
  const { args, ...rest } = words.subject as JsonObject;
  return args === undefined ? words : { ...words, subject: rest };
};

/** Pure. */
function together(
  { withheld, ...stored }: Stored,
  keys: Readonly<Record<string, string>>,
): Entrusted & Pick<Recalled, 'missing'> {
  const { order, caller } = stored;
  const { [STORE_URL]: url, [WORDS]: words, ...variables } = keys;
  const missing = withheld.filter((name) => keys[name] === undefined);
  return {
    ...stored,
    caller: { ...caller, environment: { ...caller.environment, ...variables } },
    order: {
      ...order,
      ...(words === undefined ? {} : (JSON.parse(words) as object)),
      ...(url === undefined ? {} : { store: { kind: 'redis', url } }),
    },
    missing: [...new Set(missing.map((name) => (name === STORE_URL ? STORE_VARIABLE : name)))],
  } as Entrusted & Pick<Recalled, 'missing'>;
}

/** Where the door is, and not what opens it; `PWD` is a folder and no password. */
const HARMLESS = new Set(['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'XAUTHORITY', 'PWD', 'OLDPWD']);

/** `postgres://user:password@host`, and not `http://host:80/@page`. */
const ADDRESS_WITH_PASSWORD = /:\/\/[^\s/:@]*:(?!\d{1,5}[/,?#])\S+@/;
/** `https://token@host`. */
const ADDRESS_WITH_TOKEN = /https?:\/\/[^\s/:@]+@/i;

/** Commands get an address with its password, because they need it; the disk does not. */
const isKey = (name: string, value: string): boolean =>
  !HARMLESS.has(name) &&
  (isStoreAddress(name) ? holdsPassword(value) : isKeptBack(name, value) || holdsPassword(value));

const isStoreAddress = (name: string): boolean => name === STORE_VARIABLE;

const holdsPassword = (address: string): boolean =>
  ADDRESS_WITH_PASSWORD.test(address) || ADDRESS_WITH_TOKEN.test(address);

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

const KINDS: ReadonlySet<string> = new Set<Entrusted['kind']>(['run', 'queue', 'terminal']);

function read(path: string): Stored | undefined {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Stored & { readonly version: number };
    return stored.version === 1 && KINDS.has(stored.kind) ? stored : undefined;
  } catch {
    return undefined; // not one of ours
  }
}
