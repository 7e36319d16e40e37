import { join } from 'node:path';
import { type LaunchRequest, type PrivateFile, readFilePrompt } from '@devs/core';

export interface FittedPrompt {
  /** `undefined` without a prompt. */
  readonly text: string | undefined;
  readonly files: readonly PrivateFile[];
}

/** Linux allows 128 KiB per argument. A longer prompt goes into a file that the agent is asked to read. */
const MAX_BYTES = 100_000;

export function fitPrompt(prompt: string, { privateFolder }: LaunchRequest, name = 'first-prompt.md'): FittedPrompt {
  if (prompt === '') return { text: undefined, files: [] };
  const text = prompt.replaceAll('\0', '');
  if (Buffer.byteLength(text) <= MAX_BYTES) return { text, files: [] };
  const path = join(privateFolder, name);
  return { text: readFilePrompt(path), files: [{ path, text }] };
}
