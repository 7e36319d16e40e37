import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { UserDirs } from '../reading/transcript-source.js';

/** Where the built-in agent keeps its conversations: all of them under `DEVS_AGENT_HOME`, a folder for each project. */
export function builtinHome({ home, env }: UserDirs): string {
  return env.DEVS_AGENT_HOME || join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'devs', 'agent');
}

export const builtinFolder = (user: UserDirs, folder: string): string =>
  join(builtinHome(user), createHash('sha256').update(folder).digest('hex').slice(0, 16));

export const builtinTranscript = (user: UserDirs, folder: string, conversationId: string): string =>
  join(builtinFolder(user, folder), `${conversationId}.jsonl`);

/** One file for each process that runs. */
export const builtinStatusFolder = (user: UserDirs): string => join(builtinHome(user), 'running');
