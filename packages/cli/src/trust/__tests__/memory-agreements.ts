import type { Agreements, Subject } from '../agreements.js';

export function createMemoryAgreements(): Agreements {
  const texts = new Map<string, string[]>();
  const keyOf = ({ kind, place }: Subject) => `${kind} ${place}`;
  return {
    has: async (subject, text) => texts.get(keyOf(subject))?.includes(text) ?? false,
    add: async (subject, text) => void texts.set(keyOf(subject), [...(texts.get(keyOf(subject)) ?? []), text]),
    latest: async (subject) => texts.get(keyOf(subject))?.at(-1),
  };
}
