import { resolve } from 'node:path';
import type { TranscriptSource, UserPlace } from '@devs/agents';
import { addToLedger, createLedger } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import { unreadable } from '../files/read-text.js';
import type { Conversations, OpenedConversation, WantedConversation } from './conversations.js';
import { describeDamage } from './describe-damage.js';

export interface ConversationDeps extends UserPlace {
  readonly loadAgents: () => Promise<typeof import('@devs/agents')>;
  readonly folder: string;
}

export function createConversations({ loadAgents, folder, home, env }: ConversationDeps): Conversations {
  return {
    async open(wanted) {
      const { TRANSCRIPT_SOURCES } = await loadAgents();
      const sources = sourcesFor(wanted.agent, TRANSCRIPT_SOURCES);
      const inFolder = resolve(folder, wanted.folder ?? '.');
      const found = await locate(wanted, sources, (source) => source.find(inFolder, { home, env }));
      if (found === undefined) throw new CliError(nothingFound(inFolder, sources));
      return read(found.source, found.path);
    },
  };
}

function sourcesFor(agent: string | undefined, sources: readonly TranscriptSource[]): readonly TranscriptSource[] {
  const chosen = agent === undefined ? sources : sources.filter((source) => source.agent === agent);
  if (chosen.length > 0) return chosen;
  const known = sources.map((source) => source.agent).join(', ');
  throw new UsageError(`I cannot read conversations of "${agent}". There are: ${known}.`);
}

interface Located {
  readonly source: TranscriptSource;
  readonly path: string;
}

async function locate(
  { transcript }: WantedConversation,
  sources: readonly TranscriptSource[],
  find: (source: TranscriptSource) => ReturnType<TranscriptSource['find']>,
): Promise<Located | undefined> {
  const [first] = sources;
  if (transcript !== undefined) return first === undefined ? undefined : { source: first, path: transcript };
  const found = await Promise.all(sources.map(async (source) => ({ source, conversation: await find(source) })));
  return found
    .flatMap(({ source, conversation }) => (conversation === undefined ? [] : [{ source, ...conversation }]))
    .sort((a, b) => b.modifiedMs - a.modifiedMs)[0];
}

const nothingFound = (folder: string, sources: readonly TranscriptSource[]) =>
  `no conversation of ${sources.map(({ agent }) => agent).join(' or ')} in ${folder}. Name one with --transcript FILE.`;

async function read(source: TranscriptSource, path: string): Promise<OpenedConversation> {
  const ledger = createLedger();
  const { tally, overlongLines } = await source
    .read({
      path,
      onEvents: (events) => {
        for (const event of events) addToLedger(ledger, event);
      },
    })
    .catch((error: NodeJS.ErrnoException) => {
      throw error.code === undefined ? error : unreadable(error, `"${path}"`);
    });
  if (ledger.step === 0)
    throw new CliError(
      `"${path}" holds no conversation of ${source.agent}. If another agent wrote it, say which with --agent.`,
    );
  const { conversationId } = ledger.place;
  return {
    path,
    agent: source.agent,
    ledger,
    ...(conversationId === undefined ? {} : { resumeCommand: source.resumeCommand(conversationId) }),
    warnings: describeDamage({ ...tally, overlongLines }),
  };
}
