import { collect, DamagedEventError, type EventLog, type StoredEvent } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { exportUndamaged } from '../../debug-export.js';
import { readExport } from '../read-export.js';

/** A log with this many events in two streams, some of them unreadable. */
function logWith(total: number, damaged: readonly number[]): Pick<EventLog, 'read'> {
  const events = Array.from({ length: total }, (_, index): StoredEvent => {
    const stream = index % 3 === 0 ? 'run:a' : 'run:b';
    const version = index % 3 === 0 ? index / 3 + 1 : index - Math.floor(index / 3);
    return { position: index + 1, stream, version, at: 7, type: 'note.written', data: { was: index + 1 } };
  });
  return {
    async read({ after = 0, limit = 1_000 } = {}) {
      const asked = events.slice(after, after + limit);
      const bad = asked.find(({ position }) => damaged.includes(position));
      if (bad !== undefined) throw new DamagedEventError(bad);
      return asked;
    },
  };
}

const written = (log: Pick<EventLog, 'read'>) => collect(exportUndamaged({ log: log as EventLog }));

describe('an export without damaged events', () => {
  it.each<[string, number, readonly number[]]>([
    ['none', 5, []],
    ['the first', 5, [1]],
    ['the last', 5, [5]],
    ['neighbours', 9, [4, 5, 6]],
    ['the ends of a batch', 2_500, [1_000, 1_001, 2_000]],
    ['all', 3, [1, 2, 3]],
  ])('holds all others, and can be imported: %s', async (_which, total, damaged) => {
    const lines = await written(logWith(total, damaged));
    async function* each() {
      yield* lines;
    }
    const parts = await collect(readExport(each()));
    const kept = parts.flatMap((part) => (part.kind === 'event' ? [part.event.data['was']] : []));
    const whole = Array.from({ length: total }, (_, index) => index + 1);
    expect(kept).toEqual(whole.filter((position) => !damaged.includes(position)));
    expect(parts.at(-1)).toMatchObject({ kind: 'footer', footer: { events: total - damaged.length } });
  });
});
