/** How much of each a ledger keeps. Enough for any document that a context window has room for. */
export const BOUNDS = {
  requests: 40,
  /** Half of them the oldest. */
  standing: 24,
  refusals: 10,
  shell: 6,
  notes: 60,
  tasks: 400,
  files: 600,
  commands: 300,
  searches: 200,
  troubles: 80,
  answers: 60,
  /** Characters of what a request answers to. */
  replyTo: 1_200,
  waiting: 256,
  recent: 8,
  recentChars: 8_000,
  textChars: 12_000,
  /** Of a tool's result, to look for names in. */
  resultChars: 60_000,
} as const;

/** Adds at the end; the oldest leave. */
export function pushBounded<Item>(list: Item[], item: Item, most: number): void {
  list.push(item);
  if (list.length > most) list.splice(0, list.length - most);
}

/** The same, but those of the first half stay: it is the oldest behind them that leave. */
export function pushKeepingOldest<Item>(list: Item[], item: Item, most: number): void {
  list.push(item);
  if (list.length > most) list.splice(most / 2, list.length - most);
}

/** Puts the newest last; drops the least recently used. */
export function touchBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}

/** The beginning and the end of a text that is longer than anybody will need. */
export function clampText(text: string, most: number = BOUNDS.textChars): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`;
}

/** A copy where the text is longer: a part of a text keeps the whole of it in memory. */
export const beginningOf = (text: string, most: number): string =>
  text.length <= most ? text : (JSON.parse(JSON.stringify(text.slice(0, most))) as string);
