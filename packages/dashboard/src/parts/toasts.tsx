import { ApiError } from '@devs/api';
import { useSyncExternalStore } from 'react';
import { Icon } from './icon.js';

interface Toast {
  readonly id: number;
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();
const SHOWN_MS = 6_000;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says for a moment what came of something. */
export function toast(kind: Toast['kind'], text: string): void {
  const id = ++last;
  set([...toasts.slice(-3), { id, kind, text }]);
  if (kind === 'good') setTimeout(() => dismiss(id), SHOWN_MS);
}

const dismiss = (id: number): void => set(toasts.filter((one) => one.id !== id));

/** An error in words: those of the server where it has some. */
export const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'Something went wrong.';
  return error instanceof ApiError && error.message === 'there is no such operation'
    ? 'This supervisor cannot do that yet.'
    : error.message.replace(/^./, (first) => first.toUpperCase());
};

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, kind, text }) => (
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
