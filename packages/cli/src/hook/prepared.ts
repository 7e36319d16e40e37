import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fileNameOf } from './conversation-record.js';
import type { HookAgent } from './hook-agent.js';
import type { HookFiles } from './hook-files.js';

/** Text prepared from a transcript in the background, ready for a hook that the agent waits for. */
export interface Prepared {
  readonly version: 1;
  /** How much of the transcript it is made of. */
  readonly bytes: number;
  /** Calls of the model in it. */
  readonly calls: number;
  /** Open items; missing without any. */
  readonly open?: string;
  /** The document for after a compaction, and its limit; missing if not requested yet. */
  readonly handoff?: { readonly chars: number; readonly text: string };
}

export const preparedName = (agent: Pick<HookAgent, 'name'>, conversation: string): string =>
  `${fileNameOf(agent, conversation)}.prepared.json`;

export function readPrepared(files: HookFiles, name: string): Prepared | undefined {
  const value = files.read(name);
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, bytes, calls, open, handoff } = value as Partial<Prepared>;
  const isWhole =
    version === 1 &&
    typeof bytes === 'number' &&
    typeof calls === 'number' &&
    (open === undefined || typeof open === 'string') &&
    (handoff === undefined || (typeof handoff?.chars === 'number' && typeof handoff.text === 'string'));
  return isWhole ? (value as Prepared) : undefined;
}

/**
 * Whether the agent has done nothing since. The transcript may still have grown, by book-keeping, or by a new prompt,
 * which only the agent of the conversation already has.
 */
export function isFresh(
  { bytes }: Prepared,
  { transcript, agent, reader }: { transcript: string; agent: HookAgent; reader: 'same-agent' | 'another' },
): boolean {
  const tail = readTail(transcript, bytes);
  const marks = reader === 'another' ? [...agent.workMarks, ...agent.promptMarks] : agent.workMarks;
  return tail !== undefined && !marks.some((mark) => tail.includes(mark));
}

const MAX_TAIL_LENGTH = 512 * 1024;

function readTail(file: string, from: number): string | undefined {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const length = fstatSync(handle).size - from;
    if (length < 0 || length > MAX_TAIL_LENGTH) return undefined;
    const buffer = Buffer.alloc(length);
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, length, from));
  } finally {
    closeSync(handle);
  }
}
