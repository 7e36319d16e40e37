import type { EventLog, StoredEvent } from '@devs/core';

/** What is stored in one stream, in order. */
export interface FollowedStream {
  /** Resolves when everything that is stored now was told. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** `past`: number of events that are not told. */
export function followStream(
  log: Pick<EventLog, 'follow' | 'version'>,
  { stream, past = 0 }: { readonly stream: string; readonly past?: number },
  onEvent: (event: StoredEvent) => void,
): FollowedStream {
  const closing = new AbortController();
  let told = 0;
  let waiting: (() => void)[] = [];
  const following = (async () => {
    for await (const event of log.follow({ stream, signal: closing.signal })) {
      if (event.version > past) onEvent(event);
      told += 1;
      for (const tell of waiting.splice(0)) tell();
    }
  })().catch(() => {
    told = Number.POSITIVE_INFINITY; // nothing more will come
    for (const tell of waiting.splice(0)) tell();
  });
  const settled = async () => {
    const stored = await log.version(stream).catch(() => 0);
    while (told < stored) {
      await new Promise<void>((resolve) => {
        waiting = [...waiting, resolve];
      });
    }
  };
  return {
    settled,
    async close() {
      await settled();
      closing.abort();
      await following;
    },
  };
}
