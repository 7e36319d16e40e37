import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreLocation } from '../store-access/store-location.js';
import { listHosted } from './names/known-names.js';
import type { RegisteredTerminal } from './names/terminal-registry.js';
import type { TerminalDeps } from './terminal-world.js';

/** The terminals whose records are in one store, and what is kept of them beside it. */
export interface TerminalHoldings {
  /** Each with the folders that hold what it printed and what its agent was told by file. */
  readonly ended: readonly { readonly name: string; readonly folders: readonly string[] }[];
  /** They need what is kept of them. */
  readonly running: readonly string[];
}

export async function terminalHoldings(world: TerminalDeps, location: StoreLocation): Promise<TerminalHoldings> {
  const file = await fileOf(world, location);
  const entries = world.registry.list().filter(({ store }) => isIn(store, file));
  if (entries.length === 0) return { ended: [], running: [] };
  const hosted = await listHosted(world);
  const isRunning = (name: string) => hosted.some(({ terminalId, exit }) => terminalId === name && exit === undefined);
  const names = entries.map(({ name }) => name);
  return {
    ended: names.filter((name) => !isRunning(name)).map((name) => ({ name, folders: foldersOf(world, name) })),
    running: names.filter(isRunning),
  };
}

/** Its name is free afterwards. */
export function purgeTerminal(world: TerminalDeps, name: string): void {
  for (const folder of foldersOf(world, name)) rmSync(folder, { recursive: true, force: true });
  world.registry.remove(name);
}

const foldersOf = ({ places }: TerminalDeps, name: string) =>
  [join(places.hostFolder, 'output', name), places.privateFolder(name)].filter((folder) => existsSync(folder));

const fileOf = async ({ records }: TerminalDeps, location: StoreLocation): Promise<string | undefined> =>
  location.kind === 'redis' ? undefined : location.kind === 'project' ? (await records.here()).file : location.file;

const isIn = (store: RegisteredTerminal['store'], file: string | undefined) =>
  store.kind === 'redis' ? file === undefined : store.file === file;
