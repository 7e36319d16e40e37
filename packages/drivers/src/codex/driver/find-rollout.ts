import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openFiles, processTree } from '../../driving/process-files.js';
import { objectIn, parseObject, textIn } from '../../reading/json.js';

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ROLLOUT = new RegExp(`rollout-[^/]*?-(${ID})\\.jsonl$`);
const LOCK = new RegExp(`thread-writer-locks/(${ID})\\.lock$`);

/**
 * The conversations that a Codex process has open, from its open files; a lock is there before the rollout is. `undefined`
 * where the system does not tell.
 */
export async function openConversations(pid: number): Promise<ReadonlyMap<string, string | undefined> | undefined> {
  const found = new Map<string, string | undefined>();
  const files = await openFiles(await processTree(pid));
  if (files.length === 0) return undefined;
  for (const path of files) {
    const rollout = ROLLOUT.exec(path)?.[1];
    if (rollout !== undefined) found.set(rollout, path);
    const lock = LOCK.exec(path)?.[1];
    if (lock !== undefined && !found.has(lock)) found.set(lock, undefined);
  }
  return found;
}

/** The rollout of a conversation, from the folder of any day. */
export async function findRollout(sessions: string, conversationId: string): Promise<string | undefined> {
  const names = await readdir(sessions, { recursive: true }).catch(() => []);
  const name = names.find((one) => one.endsWith(`-${conversationId}.jsonl`));
  return name === undefined ? undefined : join(sessions, name);
}

export interface RolloutStart {
  readonly conversationId: string;
  readonly folder: string;
  readonly at: number;
  readonly isSubAgent: boolean;
}

/** The first line of a rollout: whose conversation it is. It holds instructions too, so only its beginning is read. */
export async function readRolloutStart(path: string): Promise<RolloutStart | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
      const text = buffer.subarray(0, bytesRead).toString('utf8');
      return parseStart(text.slice(0, (text.indexOf('\n') + 1 || text.length + 1) - 1));
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

const MAX_BYTES = 1 << 20;

function parseStart(line: string): RolloutStart | undefined {
  const record = parseObject(line);
  const meta = objectIn(record?.payload);
  const conversationId = textIn(meta?.id);
  const folder = textIn(meta?.cwd);
  const at = Date.parse(textIn(meta?.timestamp) ?? '');
  if (record?.type !== 'session_meta' || conversationId === undefined || folder === undefined) return undefined;
  const isSubAgent = objectIn(meta?.source)?.subagent !== undefined || meta?.thread_source === 'subagent';
  return { conversationId, folder, at: Number.isNaN(at) ? 0 : at, isSubAgent };
}

/** Where the system does not tell open files: the newest rollout of this folder that began after the process did. */
export async function newestRollout(
  sessions: string,
  { folder, startedAt }: { readonly folder: string; readonly startedAt: number },
): Promise<{ readonly conversationId: string; readonly path: string } | undefined> {
  const names = (await readdir(sessions, { recursive: true }).catch(() => [])).filter((name) => ROLLOUT.test(name));
  const paths = names.toSorted((a, b) => b.localeCompare(a)).slice(0, MAX_OPENED);
  for (const path of paths.map((name) => join(sessions, name))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    const start = mtimeMs < startedAt - CLOCK_SLACK_MS ? undefined : await readRolloutStart(path);
    if (start === undefined || start.isSubAgent || start.at < startedAt - CLOCK_SLACK_MS) continue;
    if (resolve(start.folder) === resolve(folder)) return { conversationId: start.conversationId, path };
  }
  return undefined;
}

const MAX_OPENED = 100;
const CLOCK_SLACK_MS = 2_000;
