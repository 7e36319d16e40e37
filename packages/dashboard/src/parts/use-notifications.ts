import { useEffect, useRef } from 'react';
import type { InboxItem } from '../fold/inbox.js';

/** Tells the user of what is new in the inbox while they look at something else. */
export function useNotifications(waiting: readonly InboxItem[]): void {
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = new Set(waiting.map(({ id }) => id));
    if (before === undefined || !document.hidden || !('Notification' in window)) return;
    if (Notification.permission !== 'granted') return;
    for (const item of waiting.filter(({ id }) => !before.has(id)))
      new Notification('devs needs you', {
        body: item.kind === 'question' ? item.question : `${item.terminal}: ${item.detail}`,
        tag: item.id,
      });
  }, [waiting]);
}
