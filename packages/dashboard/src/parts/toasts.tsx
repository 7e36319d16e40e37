import { ApiError } from '@devs/api';
import { useSyncExternalStore } from 'react';
import { type Cell, createCell } from '../live/cell.js';
import { Icon } from './icon.js';
import { usePage } from './page-context.js';

interface Toast {
  readonly id: number;
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

const SHOWN_MS = 6_000;
const MOST = 4;

/** Says for a moment what came of something. */
export interface Toasts {
  readonly shown: Cell<readonly Toast[]>;
  say(kind: Toast['kind'], text: string): void;
  dismiss(id: number): void;
}

export function createToasts(after: (ms: number, task: () => void) => () => void): Toasts {
  const shown = createCell<readonly Toast[]>([]);
  let last = 0;
  const dismiss = (id: number) => shown.set(shown.get().filter((one) => one.id !== id));
  return {
    shown,
    dismiss,
    say(kind, text) {
      const id = ++last;
      shown.set([...shown.get().slice(1 - MOST), { id, kind, text }]);
      if (kind === 'good') after(SHOWN_MS, () => dismiss(id));
    },
  };
}

/** An error in words: those of the server where it has some. */
export const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'Something went wrong.';
  return error instanceof ApiError && error.message === 'there is no such operation'
    ? 'This supervisor cannot do that yet.'
    : error.message.replace(/^./, (first) => first.toUpperCase());
};

export function ShownToasts() {
  const { shown, dismiss } = usePage().toasts;
  const toasts = useSyncExternalStore(shown.subscribe, shown.get);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, kind, text }) => (
        <p key={id} className="toast" data-kind={kind}>
          <span>{text}</span>
          <button type="button" className="plain" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </p>
      ))}
    </div>
  );
}
