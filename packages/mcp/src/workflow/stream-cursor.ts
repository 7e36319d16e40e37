import type { EventLog, StoredEvent } from '@devs/core';

const READ_BATCH = 1_000;

/** How far one stream was read. */
export interface StreamCursor {
  readonly version: number;
  readonly position: number;
  /** The events since the last read. */
  readNew(): Promise<readonly StoredEvent[]>;
  /** Skips events appended by the reader itself. */
  moveTo(to: { readonly version: number; readonly position: number }): void;
}

export function createStreamCursor(log: Pick<EventLog, 'read'>, stream: string): StreamCursor {
  let at = { version: 0, position: 0 };
  return {
    get version() {
      return at.version;
    },
    get position() {
      return at.position;
    },
    async readNew() {
      const events: StoredEvent[] = [];
      for (;;) {
        const page = await log.read({ stream, after: at.position, limit: READ_BATCH });
        const last = page.at(-1);
        if (last !== undefined) at = { version: last.version, position: last.position };
        events.push(...page);
        if (page.length < READ_BATCH) return events;
      }
    },
    moveTo({ version, position }) {
      at = { version, position };
    },
  };
}
