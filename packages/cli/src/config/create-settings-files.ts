import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { SettingsLayer } from '@devs/core';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { ProjectPlace } from '../store-access/records.js';
import { readTerminalSettings, settingsFile } from '../terminal/terminal-settings.js';
import type { SettingsFiles } from './settings-files.js';

interface SettingsFilesDeps {
  readonly here: () => Promise<ProjectPlace>;
  /** Where the user stands. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const CONFIG_FILE = 'config.yaml';

export function createSettingsFiles({ here, folder, env, home }: SettingsFilesDeps): SettingsFiles {
  const place = { env, home };
  const user = join(dirname(settingsFile(place)), CONFIG_FILE);
  const paths = async () => ({ user, project: join((await here()).root, '.devs', CONFIG_FILE) });
  return {
    paths,
    async layers() {
      const { project } = await paths();
      return [
        ...noticesOfTerminals(settingsFile(place), { ...place, env: {} }),
        ...(await layerOf(user, user)),
        ...(await layerOf(project, shorten(folder, project))),
        ...(env.DEVS_NOTIFY_COMMAND === undefined ? [] : noticesOfTerminals('DEVS_NOTIFY_COMMAND', place)),
      ];
    },
  };
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
