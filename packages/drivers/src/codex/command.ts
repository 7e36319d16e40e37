import type { JsonObject } from '@devs/core';
import { textIn } from '../reading/json.js';

/** What a call runs in a shell. Over time the tool had several names, and its command was a text or a list of words. */
export function commandIn(tool: string, input: JsonObject): string | undefined {
  if (!SHELLS.has(tool)) return undefined;
  const command = Array.isArray(input.command)
    ? scriptOf(input.command.map(String))
    : textIn(input.cmd ?? input.command);
  return command === '' ? undefined : command;
}

const SHELLS = new Set(['exec_command', 'shell_command', 'shell', 'local_shell', 'container.exec']);

/** `bash -lc SCRIPT` is how the program runs a script: the script is what the model wrote. */
function scriptOf(words: readonly string[]): string {
  const [shell = '', flag = '', script] = words;
  const isScript = words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag);
  return isScript && script !== undefined ? script : words.join(' ');
}
