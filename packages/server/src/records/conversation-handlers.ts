import { type ConversationEntry, collect, type JsonValue, readAll, type StoredEvent } from '@devs/core';
import type { Handlers, ReadConversation, RecordedConversation } from '../served-supervisor.js';
import type { OpenStores } from './open-stores.js';

/** Conversations that are kept read, and entries of each; what is older is in the agent's own record. */
const MAX_CONVERSATIONS = 16;
const MAX_ENTRIES = 5_000;
/** In one answer. */
const PAGE = 500;

/** Conversations of agents, each read once for all who look at it. */
export function createConversationHandlers(
  stores: OpenStores,
  read: ReadConversation,
): Pick<Handlers, 'terminals.conversation'> {
  const readings = new Map<string, Reading>();
  const readingOf = (where: RecordedConversation): Reading => {
    const known = readings.get(where.path) ?? createReading(where, read);
    readings.delete(where.path); // the newest request comes last
    readings.set(where.path, known);
    const [oldest] = readings.keys();
    if (readings.size > MAX_CONVERSATIONS && oldest !== undefined) readings.delete(oldest);
    return known;
  };
  return {
    async 'terminals.conversation'({ project, terminal, conversation, after = 0 }) {
      const events = await stores.use(project, ({ store }) =>
        collect(readAll(store.log, { stream: `terminal:${terminal}` })),
      );
      const found = recordedConversations(events).findLast(
        ({ id }) => conversation === undefined || id === conversation,
      );
      if (found === undefined) return { first: 0, entries: [], total: 0 };
      return { conversation: found.id, ...(await readingOf(found).after(after)) };
    },
  };
}

/** The conversations of a terminal that its agents have recorded, oldest first. Pure. */
export function recordedConversations(
  events: readonly StoredEvent[],
): readonly (RecordedConversation & { readonly id: string })[] {
  let agent = '';
  const found = new Map<string, RecordedConversation & { readonly id: string }>();
  for (const { type, data } of events) {
    const { launch } = data as { readonly launch?: { readonly agent?: unknown } };
    if (type === 'terminal.opened' && typeof launch?.agent === 'string') agent = launch.agent;
    const { conversationId: id, path } = data;
    if (type !== 'conversation.observed' || typeof id !== 'string' || typeof path !== 'string') continue;
    found.delete(id);
    found.set(id, { id, agent, path });
  }
  return [...found.values()];
}

interface ReadEntries {
  readonly first: number;
  readonly entries: ConversationEntry[];
  readonly total: number;
}

interface Reading {
  after(seen: number): Promise<ReadEntries>;
}

function createReading(where: RecordedConversation, read: ReadConversation): Reading {
  let entries: ConversationEntry[] = [];
  let dropped = 0;
  let kept: JsonValue | undefined;
  const grow = async () => {
    const news = await read(where, kept);
    if (news.startedOver) {
      entries = [];
      dropped = 0;
    }
    entries.push(...news.entries);
    kept = news.kept;
    const tooMany = entries.length - MAX_ENTRIES;
    if (tooMany > 0) {
      entries.splice(0, tooMany);
      dropped += tooMany;
    }
  };
  let growing: Promise<void> | undefined;
  return {
    async after(seen) {
      growing ??= grow().finally(() => {
        growing = undefined;
      });
      await growing;
      const total = dropped + entries.length;
      // Who has more than there is has another record, and gets the end of this one.
      const from = seen > total ? 0 : seen;
      const first = Math.max(from, dropped, from === 0 ? total - PAGE : 0);
      return { first, entries: entries.slice(first - dropped, first - dropped + PAGE), total };
    },
  };
}
