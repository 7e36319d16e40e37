import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreLocation } from '../../store-access/store-location.js';
import { isTerminalName } from './terminal-name.js';

/** Where the records of a terminal are: its name is one for all projects, the records are its project's. */
export interface RegisteredTerminal {
  readonly name: string;
  readonly agent: string;
  readonly folder: string;
  /** `redis`: the store named by `DEVS_STORE`. Its URL may hold a password and is not kept. */
  readonly store: Exclude<StoreLocation, { kind: 'redis' } | { kind: 'project' }> | { readonly kind: 'redis' };
  readonly openedAt: number;
}

/** The terminals of one user by their names, running or not. What cannot be read does not count. */
export interface TerminalRegistry {
  list(): readonly RegisteredTerminal[];
  get(name: string): RegisteredTerminal | undefined;
  put(terminal: RegisteredTerminal): void;
  remove(name: string): void;
}

const ENDING = '.json';

export function openTerminalRegistry(folder: string): TerminalRegistry {
  const pathOf = (name: string) => join(folder, `${name}${ENDING}`);
  const get = (name: string) => (isTerminalName(name) ? read(pathOf(name), name) : undefined);
  return {
    get,
    list: () =>
      namesIn(folder).flatMap((name) => {
        const found = get(name);
        return found === undefined ? [] : [found];
      }),
    put(terminal) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
      const draft = join(folder, `.${randomUUID()}`);
      writeFileSync(draft, `${JSON.stringify({ version: 1, ...terminal }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(draft, pathOf(terminal.name)); // no reader sees half of it
    },
    remove(name) {
      if (isTerminalName(name)) rmSync(pathOf(name), { force: true });
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(ENDING))
      .map((file) => file.slice(0, -ENDING.length))
      .filter(isTerminalName)
      .sort();
  } catch {
    return []; // none yet
  }
}

function read(path: string, name: string): RegisteredTerminal | undefined {
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<string, unknown>>;
    const { agent, folder, openedAt, store } = found;
    const known = storeIn(store);
    if (typeof agent !== 'string' || typeof folder !== 'string' || known === undefined) return undefined;
    return { name, agent, folder, store: known, openedAt: typeof openedAt === 'number' ? openedAt : 0 };
  } catch {
    return undefined;
  }
}

function storeIn(value: unknown): RegisteredTerminal['store'] | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  if (value.kind === 'redis') return { kind: 'redis' };
  return value.kind === 'sqlite' && 'file' in value && typeof value.file === 'string'
    ? { kind: 'sqlite', file: value.file }
    : undefined;
}
