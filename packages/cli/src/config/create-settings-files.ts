import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { powersOf, readSettings, type SettingsLayer } from '@devs/core';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { ProjectPlace } from '../store-access/records.js';
import { readTerminalSettings, settingsFile } from '../terminal/terminal-settings.js';
import type { SettingsFiles } from './settings-files.js';
import type { TrustedFiles } from './trusted-files.js';

interface SettingsFilesDeps {
  readonly here: () => Promise<ProjectPlace>;
  /** Where the user stands. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly isTracked: (path: string) => Promise<boolean>;
  readonly trusted: () => Promise<TrustedFiles>;
}

const CONFIG_FILE = 'config.yaml';

export function createSettingsFiles(deps: SettingsFilesDeps): SettingsFiles {
  const { here, folder, env, home, trusted } = deps;
  const place = { env, home };
  const user = join(dirname(settingsFile(place)), CONFIG_FILE);
  const paths = async () => ({ user, project: join((await here()).root, '.devs', CONFIG_FILE) });
  const layerOfProject = async () => {
    const { project } = await paths();
    return { project, layers: await layerOf(project, shorten(folder, project)) };
  };
  return {
    paths,
    async trust() {
      const { project, layers } = await layerOfProject();
      for (const { text } of layers) (await trusted()).add(project, text);
      return layers.flatMap(powersIn);
    },
    async layers() {
      const { project, layers } = await layerOfProject();
      for (const layer of layers) await refuseForeign(project, layer, deps);
      return [
        ...noticesOfTerminals(settingsFile(place), { ...place, env: {} }),
        ...(await layerOf(user, user)),
        ...layers,
        ...(env.DEVS_NOTIFY_COMMAND === undefined ? [] : noticesOfTerminals('DEVS_NOTIFY_COMMAND', place)),
      ];
    },
  };
}

const powersIn = (layer: SettingsLayer): readonly string[] => {
  const read = readSettings([layer]);
  return read.kind === 'settings' ? powersOf(read.sources, layer.where) : [];
};

/** Whoever can push to a repository would otherwise run programs on the machine of everybody who starts an agent in it. */
async function refuseForeign(path: string, layer: SettingsLayer, { isTracked, trusted }: SettingsFilesDeps) {
  const powers = powersIn(layer);
  if (powers.length === 0 || !(await isTracked(path)) || (await trusted()).has(path, layer.text)) return;
  throw new CliError(
    `${visible(layer.where)} came with the repository and sets ${powers.join(', ')}: it can run programs here. Look at it, then agree with \`devs config --trust\`.`,
  );
}

async function layerOf(path: string, where: string): Promise<readonly SettingsLayer[]> {
  try {
    return [{ where, text: await readFile(path, 'utf8') }];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new CliError(`cannot read ${visible(where)}: ${visible(message)}`, { cause: error });
  }
}

/** How the user wants to be told, as he has said it for his terminals. */
function noticesOfTerminals(where: string, place: Parameters<typeof readTerminalSettings>[0]): SettingsLayer[] {
  const { bell, notifyCommand } = readTerminalSettings(place);
  const notices = { ...(bell ? {} : { bell }), ...(notifyCommand.length === 0 ? {} : { command: notifyCommand }) };
  return Object.keys(notices).length === 0 ? [] : [{ where, text: JSON.stringify({ notices }) }];
}

const shorten = (folder: string, path: string): string => {
  const short = relative(folder, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
};
