import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LaunchRequest, PermissionRules, PrivateFile } from '@devs/core';
import { lastValue, parseArguments } from '../../driving/parse-arguments.js';
import { textIn } from '../../reading/json.js';
import { CLAUDE_SYNTAX } from './claude-arguments.js';
import { readSettings } from './read-given.js';

/**
 * Whether it is talked to by stream-json. A subscription may bill such use apart, so by itself only where the user pays by key;
 * in front of a person it is always their own screen.
 */
export async function usesStream(request: LaunchRequest): Promise<boolean> {
  const { unattended, transport = 'terminal' } = request;
  if (unattended !== true || transport === 'terminal') return false;
  if (whyRefused(request.privateFolder) !== undefined) return false;
  return transport === 'stream' || (request.env.ANTHROPIC_API_KEY ?? '') !== '' || (await hasKeyHelper(request));
}

const refusedFile = (privateFolder: string): string => join(privateFolder, 'stream-refused.txt');

/** Why an earlier process of this terminal could not be talked to; nothing where it could. */
export function whyRefused(privateFolder: string): string | undefined {
  try {
    return readFileSync(refusedFile(privateFolder), 'utf8');
  } catch {
    return undefined;
  }
}

/** A program of the user's that gives the key. */
async function hasKeyHelper({ home, env, folder, userArgs }: LaunchRequest): Promise<boolean> {
  const given = lastValue(parseArguments(userArgs, CLAUDE_SYNTAX), '--settings');
  const base = env.CLAUDE_CONFIG_DIR || join(home, '.claude');
  const files = [
    ...(given === undefined ? [] : [given]),
    join(base, 'settings.json'),
    join(folder, '.claude', 'settings.json'),
    join(folder, '.claude', 'settings.local.json'),
  ];
  for (const file of files) {
    const helper = textIn((await readSettings(file, folder))?.apiKeyHelper);
    if (helper !== undefined && helper !== '') return true;
  }
  return false;
}

/** Whether a process is the program of devs that holds an agent, and not the agent itself. */
export const isHeldBy = ([file = '']: readonly string[], program: string | undefined): boolean =>
  program !== undefined && basename(program) === basename(file);

const SPEAKS_STREAM = [
  '--print',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--replay-user-messages',
  '--permission-prompt-tool=stdio',
];

interface Held {
  readonly holder: readonly string[];
  readonly request: LaunchRequest;
  readonly id: string;
  /** Its program and arguments for the terminal, without a prompt. */
  readonly claude: readonly string[];
  readonly prompt: string;
}

/** The command line of the program of devs that holds it. */
export function holdByStream({ holder, request, id, claude, prompt }: Held) {
  const [command = 'devs', ...first] = holder;
  const path = join(request.privateFolder, 'first-prompt.md');
  const files: readonly PrivateFile[] = prompt === '' ? [] : [{ path, text: prompt, isOnce: true }];
  return {
    command,
    args: [
      ...first,
      ...['--name', 'claude', '--conversation', id],
      ...permissionOptions(request.permissions),
      ...files.flatMap((file) => ['--prompt-file', file.path]),
      ...['--refused-file', refusedFile(request.privateFolder)],
      ...['--', ...claude, ...SPEAKS_STREAM],
    ],
    files,
  };
}

const permissionOptions = ({ mode, allow, ask, deny }: PermissionRules = ASK): readonly string[] => [
  ...['--permissions', mode],
  ...allow.flatMap((rule) => ['--allow', rule]),
  ...ask.flatMap((rule) => ['--ask', rule]),
  ...deny.flatMap((rule) => ['--deny', rule]),
];

const ASK: PermissionRules = { mode: 'ask', allow: [], ask: [], deny: [] };
