import { startingPrompt } from '@devs/core';
import type { KeptHandoff } from './conversations.js';

/**
 * What a person types into `sh` to have a fresh agent go on. The agent reads the handoff from its file: so it may be of any
 * size, and does not stand in the list of processes for all to see.
 */
export const startCommand = (agent: string, { folder, file }: KeptHandoff): string =>
  `cd ${quote(folder)} && ${agent} ${quote(startingPrompt(file))}`;

/** One word for any POSIX shell, whatever is in it. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
