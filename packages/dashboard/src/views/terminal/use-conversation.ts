import { useEffect, useState } from 'react';
import { type ReadConversation, withPage } from '../../fold/conversation.js';
import { usePage } from '../../parts/page-context.js';
import { wordsOf } from '../../parts/toasts.js';

interface Wanted {
  readonly terminal: string;
  readonly project: string | undefined;
  /** `undefined`: the newest one. */
  readonly conversation: string | undefined;
}

export type FollowedConversation =
  | { readonly kind: 'asking' }
  | { readonly kind: 'problem'; readonly words: string }
  | { readonly kind: 'known'; readonly read: ReadConversation };

const AGAIN_MS = 1_000;
const NOTHING: ReadConversation = { first: 0, entries: [] };

/** A conversation as the agent's own record has it; what is new is asked for once a second. */
export function useConversation({ terminal, project, conversation }: Wanted): FollowedConversation {
  const { store } = usePage();
  const [followed, setFollowed] = useState<FollowedConversation>({ kind: 'asking' });
  useEffect(() => {
    if (project === undefined) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let read = NOTHING;
    const wanted = { terminal, project, ...(conversation === undefined ? {} : { conversation }) };
    const look = async () => {
      try {
        const after = read.first + read.entries.length;
        const page = await store.client.call('terminals.conversation', { ...wanted, after });
        const next = withPage(read, page);
        if (isOver) return;
        if (next !== read || page.total === 0) setFollowed({ kind: 'known', read: next });
        read = next;
      } catch (error) {
        if (!isOver && read === NOTHING) setFollowed({ kind: 'problem', words: wordsOf(error) });
      }
      if (!isOver) timer = setTimeout(look, AGAIN_MS);
    };
    setFollowed({ kind: 'asking' });
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [store, terminal, project, conversation]);
  return followed;
}
