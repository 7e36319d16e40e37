import { listIn } from './json.js';

/** The valid entries of a map that was kept as a list of pairs. */
export function entriesIn<Value>(
  remembered: unknown,
  valueIn: (value: unknown) => Value | undefined,
): readonly (readonly [string, Value])[] {
  return listIn(remembered).flatMap((entry) => {
    const [key, kept] = listIn(entry);
    const value = valueIn(kept);
    return typeof key === 'string' && value !== undefined ? [[key, value] as const] : [];
  });
}

/** The keys of a map that was kept as one text, a key on each line: there may be thousands. */
export function keysIn(remembered: unknown): readonly (readonly [string, true])[] {
  return typeof remembered === 'string' && remembered !== ''
    ? remembered.split('\n').map((key) => [key, true] as const)
    : [];
}
