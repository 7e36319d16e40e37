import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { privilegedKeys, type SettingsLayer } from '@devs/core';
import { readProjectFile } from '@devs/worktree/project-file';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { ProjectPlace } from '../store-access/records.js';
import { readTerminalSettings, settingsFile } from '../terminal/terminal-settings.js';
import type { Agreements } from '../trust/agreements.js';
import { projectSubject } from '../trust/project-subject.js';
import { type WaitingFile, waitingUnlessAgreed } from '../trust/waiting-file.js';
import type { SettingsFiles } from './settings-files.js';

interface SettingsFilesDeps {
  readonly here: () => Promise<ProjectPlace>;
  /** The current folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly agreements: Agreements;
}

const CONFIG_FILE = 'config.yaml';
const OF_PROJECT = join('.devs', CONFIG_FILE);

export function createSettingsFiles({ here, folder, env, home, agreements }: SettingsFilesDeps): SettingsFiles {
  const place = { env, home };
  const user = join(dirname(settingsFile(place)), CONFIG_FILE);
  return {
    paths: async () => ({ user, project: join((await here()).root, OF_PROJECT) }),
    async read() {
      const { root } = await here();
      const ofUser = [...noticesOfTerminals(settingsFile(place), { ...place, env: {} }), ...(await layerOfUser(user))];
      const ofProject = layerOfProject(root, shorten(folder, join(root, OF_PROJECT)));
      const waiting = ofProject && (await waitingFor(root, ofProject, ofUser, agreements));
      return {
        layers: [
          ...ofUser,
          ...(ofProject === undefined || waiting !== undefined ? [] : [ofProject]),
          ...(env.DEVS_NOTIFY_COMMAND === undefined ? [] : noticesOfTerminals('DEVS_NOTIFY_COMMAND', place)),
        ],
        ...(waiting === undefined ? {} : { waiting }),
      };
    },
  };
}

/** Otherwise anyone who can write to a project could run programs on the machine of every user of it. */
async function waitingFor(
  root: string,
  { where, text }: SettingsLayer,
  below: readonly SettingsLayer[],
  agreements: Agreements,
): Promise<WaitingFile | undefined> {
  const keys = privilegedKeys(text, below);
  if (keys.length === 0) return undefined;
  const file = {
    subject: projectSubject('settings', root, OF_PROJECT),
    shown: where,
    text,
    does: `sets ${keys.join(', ')}`,
  };
  return waitingUnlessAgreed(file, agreements);
}

function layerOfProject(root: string, where: string): SettingsLayer | undefined {
  const found = readProjectFile(root, OF_PROJECT);
  if (found.status === 'refused') throw new CliError(`cannot read ${visible(where)}: ${visible(found.why)}.`);
  return found.status === 'read' ? { where, text: found.text } : undefined;
}

async function layerOfUser(path: string): Promise<readonly SettingsLayer[]> {
  try {
    return [{ where: path, text: await readFile(path, 'utf8') }];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new CliError(`cannot read ${visible(path)}: ${visible(message)}`, { cause: error });
  }
}

/** How users want to be notified, as they said it for their terminals. */
function noticesOfTerminals(where: string, place: Parameters<typeof readTerminalSettings>[0]): SettingsLayer[] {
  const { bell, notifyCommand } = readTerminalSettings(place);
  const notices = { ...(bell ? {} : { bell }), ...(notifyCommand.length === 0 ? {} : { command: notifyCommand }) };
  return Object.keys(notices).length === 0 ? [] : [{ where, text: JSON.stringify({ notices }) }];
}

const shorten = (folder: string, path: string): string => {
  const short = relative(folder, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
};
