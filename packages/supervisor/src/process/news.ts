import type { TerminalNotice } from '../notice.js';
import type { NumberedNotice } from './port.js';

/** Something that changes, for followers who ask again and again. */
export interface News<T> {
  changed(): void;
  /** The last change: sent at once, since the process may end a moment later. */
  over(): void;
  read(): T;
  /** Answers once there is a higher revision than `seen`, after a while, or when the signal is aborted. */
  wait(seen: number, signal?: AbortSignal): Promise<T>;
}

const PATIENCE_MS = 15_000;
/** What changes within this time is told together. */
const TOGETHER_MS = 50;

export function createNews<T>(describe: (revision: number) => T): News<T> {
  let revision = 1;
  let waiting = new Set<() => void>();
  let isRelevant = false;
  const read = () => describe(revision);
  const tell = () => {
    isRelevant = false;
    const told = waiting;
    waiting = new Set();
    for (const answer of told) answer();
  };
  return {
    read,
    changed() {
      revision += 1;
      if (waiting.size === 0 || isRelevant) return;
      isRelevant = true;
      setTimeout(tell, TOGETHER_MS);
    },
    over() {
      revision += 1;
      tell();
    },
    async wait(seen, signal) {
      if (revision <= seen && signal?.aborted !== true) {
        await new Promise<void>((resolve) => {
          const answer = () => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', answer);
            waiting.delete(answer);
            resolve();
          };
          const timer = setTimeout(answer, PATIENCE_MS);
          signal?.addEventListener('abort', answer, { once: true });
          waiting.add(answer);
        });
      }
      return read();
    },
  };
}

const MAX_NOTICES = 20;

/** The last notices, each with a number that grows. */
export function createNoticeList(onChange: () => void) {
  let last: readonly NumberedNotice[] = [];
  let number = 0;
  return {
    list: () => last,
    add(notice: TerminalNotice) {
      number += 1;
      last = [...last, { number, notice }].slice(-MAX_NOTICES);
      onChange();
    },
  };
}
