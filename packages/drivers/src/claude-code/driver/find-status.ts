import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@devs/core';
import { processTree } from '../../driving/process-files.js';
import type { Said } from '../../driving/signal-reader.js';
import { numberIn, parseObject, textIn } from '../../reading/json.js';

/** What Claude Code writes about its own process to `sessions/<pid>.json`, while it runs. */
export interface ClaudeStatus {
  readonly file: string;
  readonly conversationId: string;
  readonly folder?: string;
  /** Nothing yet while it starts. */
  readonly said?: Said;
  /** A command runs in the background though the turn is over. */
  readonly hasShells: boolean;
}

export interface StatusQuestion {
  readonly sessions: string;
  /** Of the process that was started, which may be a launcher. */
  readonly pid: number;
  readonly startedAt: number;
  /** Takes long, so it is not done at every look. */
  readonly searchDescendants: boolean;
}

/** The status of a process, or of the descendant of it that is the agent. `known` is where it was the last time. */
export async function findStatus(question: StatusQuestion, known?: string): Promise<ClaudeStatus | undefined> {
  const { sessions, pid, searchDescendants } = question;
  for (const name of [known, `${pid}.json`]) {
    const status = name === undefined ? undefined : await readStatus(name, question);
    if (status !== undefined) return status;
  }
  if (!searchDescendants) return undefined;
  const names = (await readdir(sessions).catch(() => [])).filter((name) => /^\d+\.json$/.test(name));
  if (names.length === 0) return undefined;
  const tree = new Set((await processTree(pid)).map((member) => `${member}.json`));
  for (const name of names.filter((one) => tree.has(one))) {
    const status = await readStatus(name, question);
    if (status !== undefined) return status;
  }
  return undefined;
}

async function readStatus(name: string, { sessions, startedAt }: StatusQuestion): Promise<ClaudeStatus | undefined> {
  const text = await readFile(join(sessions, name), 'utf8').catch(() => undefined);
  const record = text === undefined ? undefined : parseObject(text);
  return record === undefined ? undefined : parseStatus(name, record, startedAt);
}

/** A file of before belongs to another process that had the same number. */
const CLOCK_SLACK_MS = 5_000;

function parseStatus(file: string, record: JsonObject, startedAt: number): ClaudeStatus | undefined {
  const conversationId = textIn(record.sessionId);
  const begun = numberIn(record.startedAt);
  if (conversationId === undefined || (begun !== undefined && begun < startedAt - CLOCK_SLACK_MS)) return undefined;
  const status = textIn(record.status);
  const folder = textIn(record.cwd);
  const said = status === undefined ? undefined : whatItSays(status, textIn(record.waitingFor));
  return {
    file,
    conversationId,
    ...(folder === undefined ? {} : { folder }),
    ...(said === undefined ? {} : { said }),
    hasShells: status === 'shell',
  };
}

function whatItSays(status: string, waitingFor: string | undefined): Said {
  switch (status) {
    case 'idle':
    case 'busy':
      return { says: status, detail: `status ${status}` };
    case 'shell':
      return { says: 'idle', detail: 'status shell: a command runs in the background' };
    case 'waiting':
      return { says: 'waiting', detail: `waiting for ${waitingFor ?? 'an answer'}` };
    default:
      return { says: 'unknown', detail: `status ${status}, which is not known` };
  }
}
