import { readFile } from 'node:fs/promises';
import { type Environment, type LaunchSite, redactText } from '@devs/core';
import type { StoredLaunch } from '../record/terminal-event.js';

export interface UserLaunch {
  /** As the user typed them. */
  readonly userArgs: readonly string[];
  /** What devs tells every agent of this terminal, besides its handoff. */
  readonly systemPrompt?: string;
}

/** What is stored of a launch: no value of the environment, and no argument that looks like a secret. */
export function storedLaunch(agent: string, place: LaunchSite, launch: UserLaunch): StoredLaunch {
  const { folder, command, env } = place;
  const { userArgs, systemPrompt } = launch;
  const stored = userArgs.map((arg, index) => redactArgument(arg, userArgs[index - 1]));
  const isHidden = stored.some((arg, index) => arg !== userArgs[index]);
  return {
    agent,
    folder,
    ...(command === undefined ? {} : { command }),
    userArgs: stored,
    ...(isHidden ? { hidden: true } : {}),
    environment: Object.keys(env)
      .filter((name) => env[name] !== undefined)
      .sort(),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  };
}

/** An option says what its value is: `--api-key`, and behind it a word that looks like any other. */
function redactArgument(arg: string, before: string | undefined): string {
  const redacted = redactText(arg);
  const name = before === undefined ? undefined : /^--?([A-Za-z][\w.-]*)$/.exec(before)?.[1];
  if (redacted !== arg || name === undefined || arg.startsWith('-')) return redacted;
  return [`--${name} ${arg}`, `${name}=${arg}`].some((together) => redactText(together) !== together) ? HIDDEN : arg;
}

const HIDDEN = '[redacted:argument]';

/** Set by the host for its own ends. */
const OF_THE_HOST = 'DEVS_TERMINAL_MARK';

/**
 * The environment of a running agent, for a supervisor that starts its successor and did not start it. Only the user
 * and the system can read it; `undefined` if it cannot be read, as on a Mac.
 */
export async function readEnvironmentOf(pid: number): Promise<Environment | undefined> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  if (text === '') return undefined;
  const pairs = text.split('\0').flatMap((line) => {
    const at = line.indexOf('=');
    return at <= 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== OF_THE_HOST));
}
