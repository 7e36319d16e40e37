import type { JsonObject } from '@devs/core';
import { textIn } from '../reading/json.js';

/** The shell command of a call. The tool has had several names, and its command was a text or a list of words. */
export function commandIn(tool: string, input: JsonObject): string | undefined {
  if (!SHELLS.has(tool)) return undefined;
  const command = Array.isArray(input.command)
    ? scriptOf(input.command.map(String))
    : textIn(input.cmd ?? input.command);
  return command === '' ? undefined : command;
}

const SHELLS = new Set(['exec_command', 'shell_command', 'shell', 'local_shell', 'container.exec']);

/** The program runs a script as `bash -lc SCRIPT`: the model wrote only the script. */
function scriptOf(words: readonly string[]): string {
  const [shell = '', flag = '', script] = words;
  const isScript = words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag);
  return isScript && script !== undefined ? script : words.join(' ');
}
