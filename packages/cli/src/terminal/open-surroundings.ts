import { realpathSync } from 'node:fs';
import type { Clock } from '@devs/core';
import { CliError } from '../cli-error.js';
import type { SettingsFiles } from '../config/create-settings-files.js';
import type { ProjectPaths, Records } from '../store-access/create-records.js';
import { parseStoreLocation } from '../store-access/store-location.js';
import { readTerminalChoices, type TerminalChoices } from './choices/terminal-choices.js';
import { openTerminalRegistry } from './names/terminal-registry.js';
import { terminalPlaces } from './places.js';
import type { TerminalSurroundings } from './terminal-world.js';

export interface SurroundingsDeps {
  /** Loaded when they are first needed: `devs --help` does without. */
  readonly loadTerminals: TerminalSurroundings['loadTerminals'];
  readonly loadSupervisor: TerminalSurroundings['loadSupervisor'];
  readonly driverOf: TerminalSurroundings['driverOf'];
  readonly loadStores: () => Promise<typeof import('@devs/store')>;
  readonly loadWorktreeStream: () => Promise<typeof import('@devs/mcp/worktree-stream')>;
  /** The project that a folder belongs to. */
  readonly projectOf: (folder: string) => Promise<ProjectPaths>;
  readonly settingsFilesIn: (folder: string) => SettingsFiles;
  readonly devsCommand: readonly string[];
  readonly hostName: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the user stands. */
  readonly folder: string;
  readonly records: Records;
  readonly home: string;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly isGone: (by: string) => boolean;
  readonly by: string;
  readonly warn: (text: string) => void;
}

/** What terminals are made of, for a caller with this environment in this folder. */
export async function openSurroundings(deps: SurroundingsDeps): Promise<TerminalSurroundings> {
  const { env, home, folder, platform } = deps;
  const index = (await deps.loadStores()).projectIndexFile({ env, platform, home });
  if (index === undefined) throw new CliError('there is no home folder to keep terminals in. Set HOME.');
  const places = terminalPlaces(index);
  return {
    places,
    registry: openTerminalRegistry(places.registryFolder),
    records: deps.records,
    env,
    home,
    folder,
    clock: deps.clock,
    newId: deps.newId,
    isGone: deps.isGone,
    by: deps.by,
    warn: deps.warn,
    loadTerminals: deps.loadTerminals,
    loadSupervisor: deps.loadSupervisor,
    driverOf: deps.driverOf,
    choicesIn: createChoices(deps),
    handoffStreamOf: (at, store) => handoffStreamOf(deps, at, store),
    devsCommand: deps.devsCommand,
    storeSetting: env.DEVS_STORE === undefined ? undefined : parseStoreLocation(env.DEVS_STORE),
  };
}

function createChoices({ settingsFilesIn }: SurroundingsDeps): (folder: string) => Promise<TerminalChoices> {
  const choices = new Map<string, Promise<TerminalChoices>>();
  return (folder) => {
    const known = choices.get(folder) ?? readTerminalChoices(settingsFilesIn(folder));
    choices.set(folder, known);
    return known;
  };
}

async function handoffStreamOf(deps: SurroundingsDeps, folder: string, store: 'own' | 'shared') {
  try {
    const { root } = await deps.projectOf(folder);
    const { worktreeStream } = await deps.loadWorktreeStream();
    const [worktree, repoRoot] = [realpathSync(folder), realpathSync(root)];
    return worktreeStream({ worktree, repoRoot, ...(store === 'shared' && { host: deps.hostName }) });
  } catch {
    return undefined; // the folder is gone
  }
}
