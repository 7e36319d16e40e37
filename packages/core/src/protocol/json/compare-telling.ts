import {
  type PartialArray,
  type PartialObject,
  type PartialScalar,
  type PartialValue,
  readItems,
} from './partial-value.js';

/**
 * How the new text relates to the previous text.
 *
 * - `covers`: it contains all of it, in any layout, spelling and order of keys
 * - `agrees`: it stops before it contains all of it, and says nothing else until then
 * - `differs`: it is something else
 */
export type Telling = 'covers' | 'agrees' | 'differs';

/** Values nested deeper than this are not compared to their ends. */
const MAX_DEPTH = 400;

/** Compares two texts that hold one value each, or its beginning. */
export const compareTexts = (before: string, now: string): Telling =>
  compareItems(readItems(before), 0, readItems(now));

export function compareTelling(before: PartialValue, now: PartialValue, depth = 0): Telling {
  if (depth > MAX_DEPTH) return 'agrees';
  if (before.kind === 'object' && now.kind === 'object') return compareObjects(before, now, depth);
  if (before.kind === 'array' && now.kind === 'array') return compareItems(before, 0, now, depth);
  if (before.kind === 'scalar' && now.kind === 'scalar') return compareScalars(before, now);
  return 'differs';
}

/** Compares the items from `first` on with those of `now` from its first one on. */
export function compareItems(before: PartialArray, first: number, now: PartialArray, depth = 0): Telling {
  const count = before.items.length - first;
  let telling: Telling = 'covers';
  for (let index = 0; index < Math.min(count, now.items.length); index++) {
    const item = compareTelling(
      before.items[first + index] as PartialValue,
      now.items[index] as PartialValue,
      depth + 1,
    );
    if (item === 'differs') return item;
    if (item === 'agrees') telling = item;
  }
  if (now.items.length < count) return now.end === undefined ? 'agrees' : 'differs';
  return before.end === undefined ? telling : compareEnds(now, now.items.length === count, telling);
}

/** Whether two values that do not differ have anything in common but keys: a scalar that is whole in both. */
export function sharesValue(before: PartialValue, now: PartialValue, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (before.kind === 'scalar') return before.end !== undefined && now.end !== undefined;
  if (before.kind === 'object' && now.kind === 'object') {
    for (const [key, value] of before.members) {
      const told = now.members.get(key);
      if (told !== undefined && sharesValue(value, told, depth + 1)) return true;
    }
  }
  return before.kind === 'array' && now.kind === 'array' && sharesItem(before, 0, now, depth);
}

/** As `sharesValue`, for the items from `first` on. */
export function sharesItem(before: PartialArray, first: number, now: PartialArray, depth = 0): boolean {
  return now.items.some((told, index) => {
    const item = before.items[first + index];
    return item !== undefined && sharesValue(item, told, depth + 1);
  });
}

function compareObjects(before: PartialObject, now: PartialObject, depth: number): Telling {
  let telling: Telling = 'covers';
  let shared = 0;
  for (const [key, value] of before.members) {
    const told = now.members.get(key);
    if (told === undefined) {
      if (now.end !== undefined) return 'differs';
      telling = 'agrees';
      continue;
    }
    shared++;
    const member = compareTelling(value, told, depth + 1);
    if (member === 'differs') return member;
    if (member === 'agrees') telling = member;
  }
  if (before.end === undefined) {
    const { pendingKey } = before;
    const isKept = pendingKey === undefined || [...now.members.keys()].some((key) => isBegunBy(pendingKey, key));
    if (isKept) return telling;
    return now.end === undefined ? 'agrees' : 'differs';
  }
  const { pendingKey } = now;
  const isKnown = pendingKey === undefined || [...before.members.keys()].some((key) => isBegunBy(pendingKey, key));
  return compareEnds(now, isKnown && shared === now.members.size, telling);
}

const isBegunBy = (pending: PartialScalar, key: string) =>
  pending.end === undefined ? key.startsWith(pending.text) : key === pending.text;

/** A complete value must be complete again, without additions. */
function compareEnds(now: PartialObject | PartialArray, hasSameParts: boolean, telling: Telling): Telling {
  if (!hasSameParts) return 'differs';
  return now.end === undefined ? 'agrees' : telling;
}

function compareScalars(before: PartialScalar, now: PartialScalar): Telling {
  if (before.end !== undefined && now.end !== undefined) return before.text === now.text ? 'covers' : 'differs';
  if (before.end === undefined && now.text.startsWith(before.text)) return 'covers';
  return now.end === undefined && before.text.startsWith(now.text) ? 'agrees' : 'differs';
}
