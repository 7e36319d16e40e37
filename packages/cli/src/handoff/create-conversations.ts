import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addToLedger, type ConversationEvent, createLedger } from '@devs/core';
import type { TranscriptSource, UserDirs } from '@devs/drivers';
import { CliError, UsageError } from '../cli-error.js';
import { unreadable } from '../files/read-text.js';
import type { Agreements } from '../trust/agreements.js';
import type { Conversations, OpenedConversation, ReadTranscript, WantedConversation } from './conversations.js';
import { describeDamage } from './describe-damage.js';
import { findKeptFolders } from './kept-folders.js';
import { findEarlier, keepHandoff } from './kept-handoffs.js';
import { readGit } from './read-git.js';

export interface ConversationDeps extends UserDirs {
  readonly loadAgents: () => Promise<
    Pick<typeof import('@devs/drivers'), 'TRANSCRIPT_SOURCES' | 'detectSource' | 'listBuiltinFolders'>
  >;
  readonly loadWorktree: () => Promise<
    Pick<typeof import('@devs/worktree'), 'readWorktree' | 'runsFolder' | 'oldRunsFolder'>
  >;
  readonly loadStores: () => Promise<Pick<typeof import('@devs/store'), 'findProjectRoot'>>;
  readonly agreements: Agreements;
  readonly platform: NodeJS.Platform;
  readonly folder: string;
  readonly now: () => number;
  /** For people who wait; missing without a viewer. */
  readonly progress?: (text: string) => void;
}

export function createConversations(deps: ConversationDeps): Conversations {
  const { loadAgents, loadWorktree, agreements, folder, home, env } = deps;
  return {
    async open({ transcript, agent, folder: wanted }) {
      const agents = await loadAgents();
      if (transcript !== undefined) return openIt(await identify(transcript, agent, agents), deps);
      const sources = chooseSources(agent, agents.TRANSCRIPT_SOURCES);
      const inFolder = resolve(folder, wanted ?? '.');
      const newest = await findNewest(sources, { folder: inFolder, home, env });
      if (newest === undefined) throw new CliError(nothingFound(inFolder, sources));
      return openIt(newest, deps);
    },
    async look(conversation, wanted) {
      const place = await findWorkFolder(conversation, wanted, folder);
      if (place === undefined) return { folder: undefined, warnings: [] };
      const [{ git, warnings }, earlier] = await Promise.all([
        loadWorktree().then((worktrees) => readGit(place, worktrees, env)),
        import('@devs/store/project-store').then((stores) =>
          findEarlier(conversation.ledger, place, { stores, agreements }),
        ),
      ]);
      return {
        folder: place,
        ...(git === undefined ? {} : { git }),
        ...(earlier === undefined ? {} : { earlier }),
        warnings,
      };
    },
    keep: async (handoff) =>
      keepHandoff(handoff, { stores: await import('@devs/store/project-store'), agreements, now: deps.now() }),
    read: async ({ transcript, agent }, onEvents) =>
      readIt(await identify(transcript, agent, await loadAgents()), onEvents, deps),
    kept: () => findKeptFolders(deps),
    async forget(folders) {
      for (const path of folders) await rm(path, { recursive: true, force: true });
    },
  };
}

function chooseSources(agent: string | undefined, sources: readonly TranscriptSource[]): readonly TranscriptSource[] {
  const chosen = agent === undefined ? sources : sources.filter((source) => source.agent === agent);
  if (chosen.length > 0) return chosen;
  throw new UsageError(`I cannot read conversations of "${agent}". There are: ${namesOf(sources).join(', ')}.`);
}

const namesOf = (sources: readonly TranscriptSource[]) => sources.map(({ agent }) => agent);

interface Located {
  readonly source: TranscriptSource;
  readonly path: string;
}

/** By whom a file was written: by whom the user says, else by its first lines. */
async function identify(
  path: string,
  agent: string | undefined,
  { TRANSCRIPT_SOURCES, detectSource }: Pick<typeof import('@devs/drivers'), 'TRANSCRIPT_SOURCES' | 'detectSource'>,
): Promise<Located> {
  const [named] = agent === undefined ? [] : chooseSources(agent, TRANSCRIPT_SOURCES);
  const source = named ?? (await detectSource(path).catch((error) => refuse(error, path)));
  if (source !== undefined) return { source, path };
  const known = namesOf(TRANSCRIPT_SOURCES).join(', ');
  throw new CliError(
    `"${path}" holds no conversation that I know. If one of ${known} wrote it, say which with --agent.`,
  );
}

async function findNewest(
  sources: readonly TranscriptSource[],
  { folder, ...user }: UserDirs & { readonly folder: string },
): Promise<Located | undefined> {
  const found = await Promise.all(
    sources.map(async (source) => {
      const conversations = await source.list({ folders: [folder], limit: 1 }, user);
      return conversations.map((conversation) => ({ source, ...conversation }));
    }),
  );
  return found.flat().sort((a, b) => b.modifiedMs - a.modifiedMs)[0];
}

const nothingFound = (folder: string, sources: readonly TranscriptSource[]) =>
  `no conversation of ${namesOf(sources).join(' or ')} in ${folder}. Name one with --transcript FILE.`;

async function openIt(located: Located, deps: ConversationDeps): Promise<OpenedConversation> {
  const ledger = createLedger();
  const { path, agent, tally } = await readIt(
    located,
    (events) => {
      for (const event of events) addToLedger(ledger, event);
    },
    deps,
  );
  const { conversationId } = ledger.place;
  const resumeCommand = conversationId === undefined ? undefined : located.source.resumeCommand(conversationId);
  return {
    path,
    agent,
    ledger,
    ...(resumeCommand === undefined ? {} : { resumeCommand }),
    warnings: describeDamage(tally),
  };
}

async function readIt(
  { source, path }: Located,
  onEvents: (events: readonly ConversationEvent[]) => void,
  { progress }: ConversationDeps,
): Promise<ReadTranscript> {
  let isEmpty = true;
  const { tally, overlongLines } = await withPatience(path, progress, () =>
    source.read({
      path,
      once: true,
      onEvents: (events) => {
        if (isEmpty)
          isEmpty = !events.some(({ type }) => type !== 'conversation.described' && !type.startsWith('usage.'));
        onEvents(events);
      },
    }),
  ).catch((error) => refuse(error, path));
  if (!isEmpty) return { path, agent: source.agent, tally: { ...tally, overlongLines } };
  throw new CliError(
    `"${path}" holds no conversation of ${source.agent}. If another agent wrote it, say which with --agent.`,
  );
}

/** What the system or an agent's reader says; anything else is a mistake of ours, and stays one. */
function refuse(error: NodeJS.ErrnoException, path: string): never {
  if (error.code !== undefined) throw unreadable(error, `"${path}"`);
  if (error.cause === undefined) throw error;
  throw new CliError(`cannot read "${path}": ${error.message}`, { cause: error });
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

/**
 * Where the work of a conversation is: the folder that was named, else that of the conversation, else the working folder.
 * Nowhere where a transcript was brought here from another machine: the working folder would be another project.
 */
async function findWorkFolder(
  { ledger }: OpenedConversation,
  { folder, transcript }: WantedConversation,
  here: string,
): Promise<string | undefined> {
  if (folder !== undefined) {
    const named = resolve(here, folder);
    if (await isFolder(named)) return named;
    throw new CliError(`there is no folder "${named}". Give the folder that the agent worked in with --repo.`);
  }
  const own = ledger.place.folder;
  if (own !== undefined && (await isFolder(own))) return own;
  return transcript === undefined ? here : undefined;
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
