import { readFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { privilegedKeys, type SettingsLayer } from '@devs/core';
import { readProjectFile } from '@devs/worktree/project-file';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { ProjectPaths } from '../store-access/create-records.js';
import { type Agreements, projectSubject } from '../trust/agreements.js';
import { type WaitingFile, waitingUnlessAgreed } from '../trust/waiting-file.js';
import { readOldTerminalSettings } from './old-terminal-settings.js';

interface SettingsFilesDeps {
  readonly here: () => Promise<ProjectPaths>;
  /** The current folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly agreements: Agreements;
}

const CONFIG_FILE = 'config.yaml';
const OF_PROJECT = join('.devs', CONFIG_FILE);

export function createSettingsFiles({ here, folder, env, home, agreements }: SettingsFilesDeps): SettingsFiles {
  const folderOfUser = join(configHome(env, home), 'devs');
  const user = join(folderOfUser, CONFIG_FILE);
  return {
    paths: async () => ({ user, project: join((await here()).root, OF_PROJECT) }),
    async read() {
      const { root } = await here();
      const old = readOldTerminalSettings(join(folderOfUser, 'terminals.json'), user);
      const ofUser = [...old.layers, ...(await layerOfUser(user))];
      const ofProject = layerOfProject(root, shorten(folder, join(root, OF_PROJECT)));
      const waiting = ofProject && (await waitingFor(root, ofProject, ofUser, agreements));
      return {
        layers: [
          ...ofUser,
          ...(ofProject === undefined || waiting !== undefined ? [] : [ofProject]),
          ...layersOfEnvironment(env),
        ],
        notes: old.notes,
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

const configHome = ({ XDG_CONFIG_HOME: config }: SettingsFilesDeps['env'], home: string): string =>
  config !== undefined && isAbsolute(config) ? config : join(home, '.config');

/** `DEVS_NOTIFY_COMMAND` is a list as JSON, or the name of one program; never a line for a shell. */
function layersOfEnvironment({ DEVS_PREFIX_KEY: prefixKey, DEVS_NOTIFY_COMMAND: command }: SettingsFilesDeps['env']) {
  const isName = command !== undefined && !/^\s*\[|\s/.test(command);
  return [
    ...layerOf('DEVS_PREFIX_KEY', 'terminals', { prefixKey: prefixKey && JSON.stringify(prefixKey) }),
    ...layerOf('DEVS_NOTIFY_COMMAND', 'notices', { command: isName ? command && JSON.stringify([command]) : command }),
  ];
}

/** An empty variable says nothing. */
const layerOf = (where: string, section: string, said: Readonly<Record<string, string | undefined>>): SettingsLayer[] =>
  Object.entries(said).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [{ where, text: `${section}:\n  ${key}: ${value}\n` }],
  );

const shorten = (folder: string, path: string): string => {
  const short = relative(folder, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
};

/**
 * Where the user's settings come from, besides the flags of a command.
 *
 * Contract: looks only. A file that does not exist says nothing; a file that cannot be read rejects with a `CliError` that says
 * what to do.
 */
export interface SettingsFiles {
  /** Files of the current project and of the user. Absolute. */
  paths(): Promise<{ readonly user: string; readonly project: string }>;
  read(): Promise<SettingsInFiles>;
}

interface SettingsInFiles {
  /** What counts now, the strongest last. */
  readonly layers: readonly SettingsLayer[];
  /** About files of earlier versions: how to move them. */
  readonly notes?: readonly string[];
  /** The file of the project, where it says more than a stranger may and the user has not agreed to it. */
  readonly waiting?: WaitingFile;
}
