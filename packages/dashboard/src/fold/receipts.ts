import type { StoredEvent } from '@devs/core/folds';

/** A context action: asked for, performed, and seen to happen in the agent's own records. */
export interface Receipt {
  readonly action: string;
  /** `asked`: the agent was told to do it itself. */
  readonly by: 'agent' | 'devs';
  readonly askedAt: number;
  readonly performed: readonly { readonly at: number; readonly how: string }[];
  readonly end?: { readonly at: number; readonly isObserved: boolean; readonly detail: string };
}

/** Pure. */
export function receiptsOf(events: readonly StoredEvent[]): readonly Receipt[] {
  const receipts: Receipt[] = [];
  const change = (update: (last: Receipt) => Receipt) => {
    const last = receipts.pop();
    if (last !== undefined) receipts.push(update(last));
  };
  for (const { type, data, at } of events) {
    const text = (key: string) => String(data[key] ?? '');
    if (type === 'context-action.asked' || type === 'context-action.requested')
      receipts.push({
        action: text('action'),
        by: type === 'context-action.asked' ? 'agent' : 'devs',
        askedAt: at,
        performed: [],
      });
    if (type === 'context-action.performed')
      change((last) => ({ ...last, performed: [...last.performed, { at, how: text('how') }] }));
    if (type === 'context-action.observed')
      change((last) => ({ ...last, end: { at, isObserved: true, detail: text('evidence') } }));
    if (type === 'context-action.abandoned')
      change((last) => ({ ...last, end: { at, isObserved: false, detail: text('reason') } }));
  }
  return receipts;
}
