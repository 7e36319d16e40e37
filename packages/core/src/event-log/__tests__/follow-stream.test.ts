import { expect, it } from 'vitest';
import { createMemoryBackend } from '../../testing/memory-backend.js';
import { createEventLog } from '../create-event-log.js';

it('[F2] a follower of a stream asks for that stream behind its position, and never for the whole log', async () => {
  const backend = createMemoryBackend();
  const asked: unknown[] = [];
  const log = createEventLog({
    backend: {
      ...backend,
      read: (query) => {
        asked.push(query);
        return backend.read(query);
      },
    },
    clock: { now: () => 0 },
    newId: () => String(asked.length),
  });
  const stop = new AbortController();
  const noted = { type: 'note.written', data: {} };
  await backend.commit({
    id: 'all',
    at: 0,
    streams: ['run:a', 'run:b', 'run:c'].map((stream) => ({ stream, expectedVersion: 0, events: [noted, noted] })),
    tasks: [],
  });
  for await (const { position } of log.follow({ stream: 'run:b', after: 3, signal: stop.signal })) {
    expect(position).toBe(4);
    stop.abort();
  }
  expect(asked).toEqual([{ after: 3, limit: 500, stream: 'run:b' }]);
});
