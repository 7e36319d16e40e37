import type { ToolAnswered } from '@devs/core';
import { listIn, objectIn, textIn } from '../reading/json.js';

/** One `tool_result` block. */
export function toolAnswer(block: Readonly<Record<string, unknown>>): ToolAnswered {
  const text = textOf(block.content);
  const refused = block.is_error === true && REFUSED.test(text);
  const exitCode = /^Exit code (\d{1,3})\b/.exec(text)?.[1];
  return {
    type: 'tool.answered',
    callId: textIn(block.tool_use_id) ?? '',
    text,
    outcome: refused ? 'refused' : block.is_error === true ? 'failed' : 'ok',
    ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
  };
}

/** The user's words when they refused a call: Claude Code puts them into the call's result. */
export function wordsOfRefusal(text: string): string | undefined {
  const [, words] = /the user said:\s*([\s\S]+)$/.exec(text) ?? [];
  const own = words?.replace(/\n+Note: The user's next message[\s\S]*$/, '').trim();
  return own === undefined || own === '' || OF_THE_PROGRAM.test(own) ? undefined : own;
}

/** What Claude Code itself writes there when the user wants to talk about a question first. */
const OF_THE_PROGRAM = /^The user wants to clarify these questions\./;

const REFUSED =
  /^(?:The user doesn't want to (?:proceed|take this action)|Permission to use |User rejected|\[Request interrupted)/;

/** The text of a result, with images and documents left out. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listIn(content)
    .map((part) => textIn(objectIn(part)?.text) ?? '')
    .filter((text) => text !== '')
    .join('\n');
}
