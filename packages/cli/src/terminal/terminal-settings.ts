import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { DEFAULT_PREFIX, type PrefixKey, parsePrefixKey } from './relay/prefix-keys.js';

/** The user's settings for terminals. From `terminals.json`, overridden by the environment. */
export interface TerminalSettings {
  /** `undefined`: every key is the agent's. */
  readonly prefix: PrefixKey | undefined;
  /** Whether the pressure stands in the title. */
  readonly title: boolean;
  /** Whether the terminal rings. */
  readonly bell: boolean;
  /** A program and its arguments; what happened is added as the last one. */
  readonly notifyCommand: readonly string[];
  /** What was not understood, for people. */
  readonly problems: readonly string[];
}

interface SettingsPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export const settingsFile = ({ env, home }: SettingsPlace): string => {
  const config = env.XDG_CONFIG_HOME;
  return join(config !== undefined && isAbsolute(config) ? config : join(home, '.config'), 'devs', 'terminals.json');
};

/** What cannot be understood counts as not said. */
export function readTerminalSettings(place: SettingsPlace): TerminalSettings {
  const { env } = place;
  const file = settingsFile(place);
  const problems: string[] = [];
  const said = readObject(file, problems);
  const prefix = prefixIn(env.DEVS_PREFIX_KEY, 'DEVS_PREFIX_KEY', problems) ?? prefixIn(said.prefixKey, file, problems);
  return {
    prefix: prefix === 'none' ? undefined : (prefix ?? DEFAULT_PREFIX),
    title: flagIn(said.title, `title in ${file}`, problems) ?? true,
    bell: flagIn(said.bell, `bell in ${file}`, problems) ?? true,
    notifyCommand:
      commandIn(env.DEVS_NOTIFY_COMMAND, 'DEVS_NOTIFY_COMMAND', problems) ??
      commandIn(said.notifyCommand, `notifyCommand in ${file}`, problems) ??
      [],
    problems,
  };
}

function readObject(file: string, problems: string[]): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {}; // most users have none
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  problems.push(`${file} is not a JSON object and was left out of account`);
  return {};
}

function prefixIn(value: unknown, where: string, problems: string[]): PrefixKey | 'none' | undefined {
  if (value === undefined || value === '') return undefined;
  const key = typeof value === 'string' ? parsePrefixKey(value) : undefined;
  if (key === undefined) problems.push(`${where}: the prefix key is none. Use ctrl-b, ctrl-] or the like, or none`);
  return key;
}

function flagIn(value: unknown, where: string, problems: string[]): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  problems.push(`${where} is neither true nor false`);
  return undefined;
}

/** `["notify-send","devs"]`, or the name of one program. Never a line for a shell. */
function commandIn(value: unknown, where: string, problems: string[]): readonly string[] | undefined {
  if (value === undefined || value === '') return undefined;
  const list = typeof value === 'string' && value.trimStart().startsWith('[') ? parse(value) : value;
  if (typeof list === 'string' && !/\s/.test(list)) return [list];
  if (Array.isArray(list) && list.length > 0 && list.every((part): part is string => typeof part === 'string')) {
    return list;
  }
  problems.push(`${where} is no list of a program and its arguments, such as ["notify-send","devs"]`);
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
