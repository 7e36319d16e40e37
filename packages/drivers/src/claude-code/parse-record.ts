import type { JsonObject } from '@devs/core';
import { parseObject } from '../reading/json.js';

/** The program's own book-keeping, as version 2.1.325 knows it. */
export const KNOWN_TO_SAY_NOTHING: ReadonlySet<string> = new Set([
  'summary',
  'progress',
  'attachment',
  'file-history-snapshot',
  'queue-operation',
  'custom-title',
  'ai-title',
  'last-prompt',
  'permission-mode',
  'mode',
  'agent-color',
  'agent-name',
  'agent-setting',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'artifact-autoreact-ledger',
  'artifact-comment-monitor',
  'atis-latch',
  'attribution-snapshot',
  'bridge-session',
  'content-replacement',
  'continued-in',
  'cost-state',
  'data-flow-incomplete',
  'data-flow-records',
  'derived-from',
  'dev-mods',
  'ended-by-model',
  'file-history-delta',
  'fork-context-ref',
  'frame-link',
  'history-suppression',
  'isolation-latch',
  'memory-mode',
  'observer-ref',
  'pr-link',
  'relocated',
  'repl-mode',
  'resume-head-vouch',
  'session-owner',
  'tag',
  'tools-used',
  'worktree-state',
]);

/**
 * The type of a record, from the beginning of its line, if nothing nested precedes it. Quotes inside a string are
 * escaped, so the name of the member cannot be mistaken.
 */
export function leadingType(head: string): string | undefined {
  const name = head.indexOf(TYPE);
  if (name === -1 || isBefore(head.indexOf('{', 1), name) || isBefore(head.indexOf('['), name)) return undefined;
  const start = name + TYPE.length;
  return head.slice(start, head.indexOf('"', start));
}

const TYPE = '"type":"';
const isBefore = (found: number, place: number) => found !== -1 && found < place;

/** A line as a record. */
export function parseRecord(line: string): JsonObject | undefined {
  const short = withoutRepeatedResult(line);
  return short === line ? parseObject(line) : (parseObject(short) ?? parseObject(line));
}

/**
 * Claude Code repeats the result of a tool in another form, which is half of a transcript and adds nothing: it is cut
 * out before parsing, if only flat members follow.
 *
 * Quotes inside a string are escaped, so the name of a member cannot be mistaken. If it was not a member of the whole
 * record, the rest does not parse.
 */
export function withoutRepeatedResult(line: string): string {
  const start = line.indexOf(REPEATED_RESULT);
  if (start === -1) return line;
  const end = line.lastIndexOf('}', line.length - 2) + 1;
  const rest = line.slice(end);
  return end > start && PLAIN_MEMBERS.test(rest) ? line.slice(0, start) + rest : line;
}

const REPEATED_RESULT = ',"toolUseResult":{';
const PLAIN_MEMBERS = /^(?:,"\w+":(?:"[^"\\]*"|null|true|false|\d+))*\}$/;
