import { compareItems, compareTelling, sharesItem, sharesValue, type Telling } from './compare-telling.js';
import { type PartialArray, type PartialObject, type PartialValue, readItems } from './partial-value.js';

/** Which keys the object at a path may have; `undefined` where it may have any. */
export type KeysAt = (path: readonly string[]) => readonly string[] | undefined;

/** A place in the prefix from which the completion repeats the text, in its own layout, spelling and order. */
export interface Retelling {
  readonly start: number;
  /** Whether it holds all of that, or breaks off before. */
  readonly telling: Exclude<Telling, 'differs'>;
  /** Whether they have a value in common; without one it may be a retelling, as far as anybody can see. */
  readonly isEvident: boolean;
}

/** How many of an array's last elements may be repeated. */
const MAX_ELEMENTS = 64;

interface Search {
  readonly prefixLength: number;
  readonly now: PartialArray;
  readonly keysAt: KeysAt | undefined;
  readonly found: Retelling[];
}

/**
 * Checks every container open at the end of the prefix, and every element of the open arrays. `document` begins with
 * the prefix; text received after it counts.
 */
export function findRetellings(
  document: string,
  prefixLength: number,
  completion: string,
  keysAt?: KeysAt,
): readonly Retelling[] {
  const found: Retelling[] = [];
  const now = readItems(completion);
  if (now.items.length > 0) search(readItems(document).items[0], { prefixLength, now, keysAt, found });
  return found;
}

function search(root: PartialValue | undefined, { prefixLength, now, keysAt, found }: Search): void {
  const isOpen = ({ start, end }: PartialValue) => start < prefixLength && (end === undefined || end > prefixLength);
  const first = now.items[0] as PartialValue;
  let path: string[] | undefined = [];
  let value = root;
  let isElement = false;
  while (value !== undefined && value.kind !== 'scalar' && isOpen(value)) {
    const keys = path && keysAt?.(path);
    if (!isElement && mayHaveKeys(keys, first)) {
      const telling = compareTelling(value, first);
      if (telling !== 'differs') found.push({ start: value.start, telling, isEvident: sharesValue(value, first) });
    }
    isElement = value.kind === 'array';
    if (value.kind === 'array') {
      found.push(...retoldElements(value, now, prefixLength));
      path = undefined; // keys are known by the keys above them only
      value = value.items.findLast(isOpen);
    } else {
      const member: readonly [string, PartialValue] | undefined = openMember(value, isOpen);
      path = member && path && [...path, member[0].slice(1)];
      value = member?.[1];
    }
  }
}

const openMember = (object: PartialObject, isOpen: (value: PartialValue) => boolean) =>
  [...object.members].findLast(([, member]) => isOpen(member));

function mayHaveKeys(keys: readonly string[] | undefined, told: PartialValue): boolean {
  if (keys === undefined || told.kind !== 'object') return true;
  const { pendingKey } = told;
  if (![...told.members.keys()].every((key) => keys.includes(key.slice(1)))) return false;
  return pendingKey === undefined || keys.some((key) => key.startsWith(pendingKey.text.slice(1)));
}

function retoldElements(array: PartialArray, now: PartialArray, prefixLength: number): Retelling[] {
  const from = Math.max(0, array.items.length - MAX_ELEMENTS);
  return array.items.slice(from).flatMap(({ start }, index) => {
    const telling = start < prefixLength ? compareItems(array, from + index, now) : 'differs';
    return telling === 'differs' ? [] : [{ start, telling, isEvident: sharesItem(array, from + index, now) }];
  });
}
