import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import {
  chooseResults,
  createPassageReader,
  messageOf,
  type Passage,
  parseRecallQuery,
  type RecallResult,
} from '@devs/core';
import type { FoundConversation, TranscriptSource, UserDirs } from '@devs/drivers';
import type { PassagePlace, RecallIndex } from '@devs/store';
import { CliError, UsageError } from '../cli-error.js';
import { hookFolder, hooksHome } from '../hook/hook-folder.js';

/** Searches all conversations of a project, of every agent. */
export type Recall = (wanted: RecallWanted) => Promise<Recalled>;

interface RecallWanted {
  /** The folder of the project. */
  readonly root: string;
  /** Folders beside it in which agents worked for the project: the work trees of its runs. */
  readonly worktrees: readonly string[];
  readonly query: string;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

interface Recalled {
  readonly results: readonly RecallResult<PassagePlace>[];
  readonly conversations: number;
  /** Transcripts that could not be read, as sentences. */
  readonly warnings: readonly string[];
}

export interface RecallDeps extends UserDirs {
  readonly loadAgents: () => Promise<typeof import('@devs/drivers')>;
  readonly loadStores: () => Promise<typeof import('@devs/store')>;
  readonly platform: NodeJS.Platform;
  readonly now: () => number;
  /** For people who wait; missing without a viewer. */
  readonly progress?: (text: string) => void;
}

/** More than that is read only to choose ten of them. */
const MAX_CANDIDATES = 1_000;

export const createRecall =
  (deps: RecallDeps): Recall =>
  async ({ root, worktrees, query, limit, signal }) => {
    const terms = parseRecallQuery(query);
    if (terms.length === 0) throw new UsageError('there is no word to search for. Example: devs recall "retry budget"');
    const [agents, stores] = await Promise.all([deps.loadAgents(), deps.loadStores()]);
    const folders = await withRealPaths([root, ...worktrees]);
    const index = stores.openRecallIndex(await indexFile(root, deps), deps.now);
    try {
      const { conversations, warnings } = await bringUpToDate(
        index,
        { sources: agents.TRANSCRIPT_SOURCES, folders, signal },
        deps,
      );
      return {
        results: chooseResults(index.search(terms, MAX_CANDIDATES), terms, limit, ({ transcript }) => transcript),
        conversations,
        warnings,
      };
    } finally {
      index.close();
    }
  };

/** Agents name a folder as they were started in it, or as it really is. */
async function withRealPaths(folders: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real])];
}

/** In the user's own state, beside what hooks keep of the project: a repository cannot bring it, and `devs purge` removes it. */
async function indexFile(root: string, place: RecallDeps): Promise<string> {
  const home = hooksHome(place);
  if (home === undefined) throw new CliError('there is no home folder to keep the index in. Set HOME.');
  const folder = hookFolder(home, root);
  folder.make();
  return join(folder.path, 'recall.db');
}

interface Reading {
  readonly sources: readonly TranscriptSource[];
  readonly folders: readonly string[];
  readonly signal: AbortSignal | undefined;
}

async function bringUpToDate(
  index: RecallIndex,
  { sources, folders, signal }: Reading,
  { home, env, progress }: RecallDeps,
): Promise<Pick<Recalled, 'conversations' | 'warnings'>> {
  const listed = await Promise.all(
    sources.map(async (source) => {
      const conversations = await source.list({ folders }, { home, env });
      return conversations.map((conversation) => ({ source, conversation }));
    }),
  );
  const all = listed.flat();
  const changed = all.filter(({ conversation: { path, modifiedMs } }) => index.known(path)?.modifiedMs !== modifiedMs);
  const warnings: string[] = [];
  for (const [nth, { source, conversation }] of changed.entries()) {
    if (nth % REPORTED_EVERY === REPORTED_EVERY - 1)
      progress?.(`devs: reading conversations (${nth + 1} of ${changed.length}) …`);
    const problem = await addConversation(index, source, conversation, signal);
    if (problem !== undefined) warnings.push(problem);
  }
  return { conversations: all.length, warnings };
}

const REPORTED_EVERY = 25;

/** Reads what is new in a transcript. A transcript that cannot be read does not keep the others from being searched. */
async function addConversation(
  index: RecallIndex,
  source: TranscriptSource,
  { path, modifiedMs }: FoundConversation,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const known = index.known(path);
  const passages: Passage[] = [];
  const readPassages = createPassageReader();
  const onEvents: Parameters<TranscriptSource['read']>[0]['onEvents'] = (events) => {
    for (const event of events) passages.push(...readPassages(event));
  };
  try {
    const { kept, startedOver } = await source.read({ path, kept: known?.kept, onEvents, signal });
    await index.add({ path, agent: source.agent, modifiedMs, kept, startedOver, passages });
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    return `cannot read ${path}: ${messageOf(error)}`;
  }
}
