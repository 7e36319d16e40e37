import type { JsonValue, TranscriptTally } from '@devs/core';
import { numberIn, objectIn } from './json.js';
import { entriesIn } from './remembered.js';

/**
 * Counts unknown and damaged records, on top of the remembered counts. A damaged file may name any number of types:
 * beyond a few they are counted together.
 */
export function createTally(remembered?: unknown) {
  const before = objectIn(remembered);
  let lines = numberIn(before?.lines) ?? 0;
  let damagedLines = numberIn(before?.damagedLines) ?? 0;
  const unknownTypes = new Map(entriesIn(before?.unknownTypes, (value) => numberIn(value)));
  return {
    understood: () => void lines++,
    damaged(): readonly never[] {
      lines++;
      damagedLines++;
      return [];
    },
    unknown(type: string) {
      const name = type.slice(0, MAX_NAME_LENGTH);
      const counted = unknownTypes.has(name) || unknownTypes.size < MAX_TYPES ? name : 'other';
      unknownTypes.set(counted, (unknownTypes.get(counted) ?? 0) + 1);
    },
    read: (): TranscriptTally => ({ lines, damagedLines, unknownTypes: Object.fromEntries(unknownTypes) }),
    memory: (): JsonValue => ({ lines, damagedLines, unknownTypes: [...unknownTypes] }),
  };
}

const MAX_TYPES = 32;
const MAX_NAME_LENGTH = 64;
