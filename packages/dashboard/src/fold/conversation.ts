import type { ConversationEntry, StoredEvent } from '@devs/core/folds';

type Call = Extract<ConversationEntry, { kind: 'call' }>;
type Result = Extract<ConversationEntry, { kind: 'result' }>;

/** A part of a conversation as it is shown: a call with its result. */
export type ConversationItem =
  | { readonly kind: 'said'; readonly key: number; readonly entry: Exclude<ConversationEntry, Call | Result> }
  | { readonly kind: 'called'; readonly key: number; readonly call: Call; readonly result?: Result };

/** Entries in their order, each result with its call. `first`: the number of the first one. Pure. */
export function conversationItems(entries: readonly ConversationEntry[], first = 0): readonly ConversationItem[] {
  const results = new Map(
    entries.flatMap((entry) => (entry.kind === 'result' ? [[entry.callId, entry] as const] : [])),
  );
  return entries.flatMap((entry, index): readonly ConversationItem[] => {
    const key = first + index;
    if (entry.kind === 'result') return [];
    if (entry.kind !== 'call') return [{ kind: 'said', key, entry }];
    const result = results.get(entry.callId);
    return [{ kind: 'called', key, call: entry, ...(result === undefined ? {} : { result }) }];
  });
}

/** A call of a tool that went wrong. */
export interface FailedAction {
  readonly key: number;
  readonly call: Call;
  readonly result: Result;
}

/** The last calls that failed, oldest first. Pure. */
export const failedActions = (entries: readonly ConversationEntry[], most: number): readonly FailedAction[] =>
  conversationItems(entries)
    .flatMap((item) =>
      item.kind === 'called' && item.result !== undefined && item.result.outcome !== 'ok'
        ? [{ key: item.key, call: item.call, result: item.result }]
        : [],
    )
    .slice(-most);

/** What was read of a conversation so far. */
export interface ReadConversation {
  readonly conversation?: string;
  readonly first: number;
  readonly entries: readonly ConversationEntry[];
}

interface Page {
  readonly conversation?: string | undefined;
  readonly first: number;
  readonly entries: readonly ConversationEntry[];
}

/** With one more page of it; a page of another conversation, or one with a gap before it, begins anew. Pure. */
export function withPage(before: ReadConversation, { conversation, first, entries }: Page): ReadConversation {
  const end = before.first + before.entries.length;
  if (conversation === before.conversation && first === end)
    return entries.length === 0 ? before : { ...before, entries: [...before.entries, ...entries] };
  return { ...(conversation === undefined ? {} : { conversation }), first, entries };
}

/** The conversations of a terminal, oldest first, with when each was first seen. Pure. */
export function conversationsOf(
  events: readonly StoredEvent[],
): readonly { readonly id: string; readonly at: number }[] {
  const found = new Map<string, number>();
  for (const { type, at, data } of events) {
    const { conversationId: id, path } = data;
    if (type === 'conversation.observed' && typeof id === 'string' && typeof path === 'string' && !found.has(id))
      found.set(id, at);
  }
  return [...found].map(([id, at]) => ({ id, at }));
}
