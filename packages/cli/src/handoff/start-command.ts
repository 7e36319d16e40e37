import { startingPrompt } from '@devs/core';
import type { KeptHandoff } from './conversations.js';

/**
 * The `sh` command that lets a fresh agent continue. The agent reads the handoff from its file: so it may be of any
 * size, and is not visible in the list of processes.
 */
export const startCommand = (agent: string, { folder, file }: KeptHandoff): string =>
  `cd ${quote(folder)} && ${agent} ${quote(startingPrompt(file))}`;

/** Quotes any text as one word for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
