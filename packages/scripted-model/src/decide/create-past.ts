import { createHash } from 'node:crypto';
import type { Purpose } from '../request/purpose-of.js';
import type { Decision, Past } from './decide-reply.js';

/** Turns whose tries are counted; the oldest are forgotten. */
const MAX_TURNS = 1_000;

/** Remembers what decisions need of the requests before: counts, and no text. */
export function createPast(): Past & { remember(decision: Decision): void } {
  const calls = new Map<Purpose, number>();
  const uses = new Map<number, number>();
  const tries = new Map<string, number>();
  return {
    callsFor: (purpose) => calls.get(purpose) ?? 0,
    usesOf: (rule) => uses.get(rule) ?? 0,
    triesOf: (turn) => tries.get(digest(turn)) ?? 0,
    remember({ purpose, rule, tried }) {
      count(calls, purpose);
      if (rule?.isFirst) count(uses, rule.index);
      if (tried === undefined) return;
      count(tries, digest(tried));
      const [oldest] = tries.keys();
      if (tries.size > MAX_TURNS && oldest !== undefined) tries.delete(oldest);
    },
  };
}

const digest = (text: string) => createHash('sha1').update(text).digest('base64');

function count<Key>(counts: Map<Key, number>, key: Key): void {
  const next = (counts.get(key) ?? 0) + 1;
  counts.delete(key); // so that the newest is last
  counts.set(key, next);
}
