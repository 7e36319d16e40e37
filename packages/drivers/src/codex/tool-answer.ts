import type { JsonObject, ToolAnswered } from '@devs/core';
import { listIn, numberIn, objectIn, parseObject, textIn } from '../reading/json.js';
import type { CodexMemory } from './create-codex-parser.js';

/** The result of a call, without the program's lines before a command's output. */
export function toolAnswer(item: JsonObject, memory: CodexMemory): ToolAnswered {
  const callId = textIn(item.call_id) ?? '';
  const { text, exitCode, success } = resultOf(item.output);
  const command = memory.commands.get(callId);
  memory.commands.delete(callId);
  const process = /^Process running with session ID (\S+)$/m.exec(text)?.[1];
  if (command !== undefined && process !== undefined) memory.processes.set(process, command);
  const failed = success === false || (exitCode ?? 0) !== 0 || (exitCode === undefined && FAILED.test(text));
  return {
    type: 'tool.answered',
    callId,
    text,
    outcome: REFUSED.test(text) ? 'refused' : failed ? 'failed' : 'ok',
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

interface Result {
  readonly text: string;
  readonly exitCode?: number;
  readonly success?: boolean;
}

function resultOf(output: unknown): Result {
  const whole = objectIn(output);
  if (whole !== undefined) {
    const inner = resultOf(whole.content ?? whole.output);
    return typeof whole.success === 'boolean' ? { ...inner, success: whole.success } : inner;
  }
  if (typeof output !== 'string') {
    return {
      text: listIn(output)
        .map((part) => textIn(objectIn(part)?.text) ?? '')
        .join('\n'),
    };
  }
  return olderResult(output) ?? framedResult(output);
}

/** Until 2025 the result of a command was JSON in a string. */
function olderResult(output: string): Result | undefined {
  const record = output.startsWith('{"output"') ? parseObject(output) : undefined;
  const exitCode = numberIn(objectIn(record?.metadata)?.exit_code);
  return exitCode === undefined ? undefined : { text: textIn(record?.output) ?? '', exitCode };
}

function framedResult(output: string): Result {
  const [frame, exitCode] = FRAME.exec(output) ?? [];
  return frame === undefined ? { text: output } : { text: output.slice(frame.length), exitCode: Number(exitCode) };
}

const FRAME =
  /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Process exited with code|Exit code:) (-?\d{1,10})\n(?:[A-Z][a-z ]+: .*\n){0,4}Output:\n/;
const REFUSED =
  /^(?:Wall time: .*\n)?(?:aborted by user|aborted$|(?:exec command |patch |user )?rejected(?: by user)?\b|user cancelled MCP tool call)/i;
const FAILED =
  /^(?:unsupported (?:custom tool )?call|apply_patch verification failed|failed to |execution error|exec_command failed|write_stdin failed|tool call error|error[: ]|err: )/i;
