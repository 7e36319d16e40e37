import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TranscriptSource, UserPlace } from '@devs/agents';
import { addToLedger, type ConversationEvent, createLedger } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import { unreadable } from '../files/read-text.js';
import type { Conversations, OpenedConversation, ReadTranscript, WantedConversation } from './conversations.js';
import { describeDamage } from './describe-damage.js';
import { findEarlier, keepHandoff } from './kept-handoffs.js';
import { readGit } from './read-git.js';
import { startsLikeDatabase } from './starts-like-database.js';
import { findWorkFolder } from './work-folder.js';

export interface ConversationDeps extends UserPlace {
  readonly loadAgents: () => Promise<typeof import('@devs/agents')>;
  readonly loadWorktree: () => Promise<typeof import('@devs/worktree')>;
  readonly loadStores: () => Promise<typeof import('@devs/store')>;
  readonly folder: string;
  readonly now: () => number;
  /** For people who wait; missing where nobody looks. */
  readonly progress?: (text: string) => void;
}

export function createConversations(deps: ConversationDeps): Conversations {
  const { loadAgents, loadWorktree, loadStores, folder, home, env } = deps;
  const sourcesFor = async (agent: string | undefined) => chooseSources(agent, (await loadAgents()).TRANSCRIPT_SOURCES);
  return {
    async open(wanted) {
      const sources = await sourcesFor(wanted.agent);
      const inFolder = resolve(folder, wanted.folder ?? '.');
      const candidates = await locate(wanted, sources, (source) => source.find(inFolder, { home, env }));
      if (candidates.length === 0) throw new CliError(nothingFound(inFolder, sources));
      return openFirst(candidates, deps);
    },
    async look(conversation, wanted) {
      const place = await findWorkFolder(conversation, wanted, folder);
      if (place === undefined) return { folder: undefined, warnings: [] };
      const [{ git, warnings }, earlier] = await Promise.all([
        loadWorktree().then((worktrees) => readGit(place, worktrees, env)),
        loadStores().then((stores) => findEarlier(conversation.ledger, place, stores)),
      ]);
      return {
        folder: place,
        ...(git === undefined ? {} : { git }),
        ...(earlier === undefined ? {} : { earlier }),
        warnings,
      };
    },
    keep: async (handoff) => keepHandoff(handoff, await loadStores(), deps.now()),
    async read({ transcript, agent }, onEvents) {
      return readFirst(await named(transcript, await sourcesFor(agent)), onEvents, deps);
    },
  };
}

function chooseSources(agent: string | undefined, sources: readonly TranscriptSource[]): readonly TranscriptSource[] {
  const chosen = agent === undefined ? sources : sources.filter((source) => source.agent === agent);
  if (chosen.length > 0) return chosen;
  const known = sources.map((source) => source.agent).join(', ');
  throw new UsageError(`I cannot read conversations of "${agent}". There are: ${known}.`);
}

interface Located {
  readonly source: TranscriptSource;
  readonly path: string;
}

/** The newest conversation; or a file that is named, as each agent would read it. */
async function locate(
  { transcript }: WantedConversation,
  sources: readonly TranscriptSource[],
  find: (source: TranscriptSource) => ReturnType<TranscriptSource['find']>,
): Promise<readonly Located[]> {
  if (transcript !== undefined) return named(transcript, sources);
  const found = await Promise.all(sources.map(async (source) => ({ source, conversation: await find(source) })));
  return found
    .flatMap(({ source, conversation }) => (conversation === undefined ? [] : [{ source, ...conversation }]))
    .sort((a, b) => b.modifiedMs - a.modifiedMs)
    .slice(0, 1);
}

/** A database is read by whom it belongs to, and anything else by the others. */
async function named(path: string, sources: readonly TranscriptSource[]): Promise<readonly Located[]> {
  const all = sources.map((source) => ({ source, path }));
  if (all.length === 1) return all;
  const isDatabase = await startsLikeDatabase(path.replace(/#ses_\w+$/, ''));
  return all.filter(({ source }) => (source.agent === 'opencode') === isDatabase);
}

const nothingFound = (folder: string, sources: readonly TranscriptSource[]) =>
  `no conversation of ${sources.map(({ agent }) => agent).join(' or ')} in ${folder}. Name one with --transcript FILE.`;

async function openFirst(candidates: readonly Located[], deps: ConversationDeps): Promise<OpenedConversation> {
  const ledger = createLedger();
  const { path, agent, tally } = await readFirst(
    candidates,
    (events) => {
      for (const event of events) addToLedger(ledger, event);
    },
    deps,
  );
  const { conversationId } = ledger.place;
  const source = candidates.find((candidate) => candidate.source.agent === agent)?.source;
  return {
    path,
    agent,
    ledger,
    ...(conversationId === undefined || source === undefined
      ? {}
      : { resumeCommand: source.resumeCommand(conversationId) }),
    warnings: describeDamage(tally),
  };
}

/** As the first of the agents reads it that finds a conversation in it. */
async function readFirst(
  candidates: readonly Located[],
  onEvents: (events: readonly ConversationEvent[]) => void,
  { progress }: ConversationDeps,
): Promise<ReadTranscript> {
  for (const { source, path } of candidates) {
    let said = false;
    const { tally, overlongLines } = await withPatience(path, progress, () =>
      source.read({
        path,
        onEvents: (events) => {
          said ||= events.some(({ type }) => type !== 'conversation.described' && type !== 'usage.reported');
          onEvents(events);
        },
      }),
    ).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== undefined) throw unreadable(error, `"${path}"`);
      throw error.cause === undefined
        ? error
        : new CliError(`cannot read "${path}": ${error.message}`, { cause: error });
    });
    if (said) return { path, agent: source.agent, tally: { ...tally, overlongLines } };
  }
  const { path = '', source } = candidates[0] ?? {};
  throw new CliError(
    candidates.length === 1
      ? `"${path}" holds no conversation of ${source?.agent}. If another agent wrote it, say which with --agent.`
      : `"${path}" holds no conversation of ${candidates.map((candidate) => candidate.source.agent).join(', ')}. Check the path.`,
  );
}

/** Says what it is at where that takes long. */
async function withPatience<Result>(
  path: string,
  progress: ((text: string) => void) | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (progress === undefined) return work();
  const timer = setTimeout(() => {
    void stat(path).then(
      ({ size }) => progress(`devs: reading ${path} (${Math.ceil(size / MEGABYTE)} MB) …`),
      () => {},
    );
  }, LONG_MS);
  return work().finally(() => clearTimeout(timer));
}

const LONG_MS = 1_500;
const MEGABYTE = 1024 * 1024;
