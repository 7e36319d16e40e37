import type { JsonObject, ToolAnswered } from '@devs/core';
import { listIn, objectIn, textIn } from '../reading/json.js';

/** The result of a call, if there is one. */
export function toolAnswer(call: JsonObject): ToolAnswered | undefined {
  const { status } = call;
  if (status !== 'success' && status !== 'error' && status !== 'cancelled') return undefined;
  const text = textOf(call);
  const exitCode = call.name === 'run_shell_command' && status === 'success' ? exitCodeIn(text) : undefined;
  const failed = status === 'error' || (exitCode ?? 0) !== 0;
  return {
    type: 'tool.answered',
    callId: textIn(call.id) ?? '',
    text,
    outcome: status === 'cancelled' ? 'refused' : failed ? 'failed' : 'ok',
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

function textOf(call: JsonObject): string {
  const texts = listIn(call.result).flatMap((part) => {
    const response = objectIn(objectIn(objectIn(part)?.functionResponse)?.response);
    const text = textIn(response?.output) ?? textIn(response?.error);
    return text === undefined ? [] : [unwrapped(text)];
  });
  return texts.length === 0 ? (textIn(call.resultDisplay) ?? '') : texts.join('\n');
}

/** A tag that tells the model not to trust its content is not part of the result. */
const unwrapped = (text: string) => text.replace(/^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/, '$1');

/** "Exit Code: Only included if non-zero", as the description of the tool promises the model. */
function exitCodeIn(text: string): number | undefined {
  const code = /^Exit Code: (\d{1,10})$/m.exec(text)?.[1];
  if (code !== undefined) return Number(code);
  return text.startsWith('Output: ') && !/^(?:Error|Signal|Background PIDs): /m.test(text) ? 0 : undefined;
}
