import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { PageState, PageStore } from '../live/page-store.js';
import type { Session } from '../live/session.js';
import type { Dialogs } from './dialogs.js';
import type { Toasts } from './toasts.js';

interface Page {
  readonly store: PageStore;
  readonly session: Session;
  readonly dialogs: Dialogs;
  readonly toasts: Toasts;
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error('there is no page around this');
  return page;
}

/** What the page shows now. */
export function usePageState(): PageState {
  const { store } = usePage();
  return useSyncExternalStore(store.subscribe, store.get);
}

/** The time that the page shows: now, or when the event of the past was stored. */
export function useMoment(): number {
  const now = useNow();
  return usePageState().past?.at ?? now;
}

/** The time, again and again. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
