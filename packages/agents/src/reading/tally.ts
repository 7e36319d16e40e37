import type { TranscriptTally } from '@devs/core';

/** Counts what a parser meets. A damaged file may name any number of types: beyond a few they are counted together. */
export function createTally() {
  let lines = 0;
  let damagedLines = 0;
  const unknownTypes = new Map<string, number>();
  return {
    understood: () => void lines++,
    damaged(): readonly never[] {
      lines++;
      damagedLines++;
      return [];
    },
    unknown(type: string) {
      const name = type.slice(0, LONGEST_NAME);
      const counted = unknownTypes.has(name) || unknownTypes.size < MOST_TYPES ? name : 'other';
      unknownTypes.set(counted, (unknownTypes.get(counted) ?? 0) + 1);
    },
    read: (): TranscriptTally => ({ lines, damagedLines, unknownTypes: Object.fromEntries(unknownTypes) }),
  };
}

const MOST_TYPES = 32;
const LONGEST_NAME = 64;
