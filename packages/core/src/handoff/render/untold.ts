import { namesIn } from '../names.js';
import type { Candidate } from './candidate.js';

/** What each candidate would add, given what is told already. Telling one lowers the others that say the same. */
export function createUntold(candidates: readonly Candidate[], names: Readonly<Record<string, number>>) {
  const worths = new Map(Object.entries(names)); // quicker to ask than an object, for names that were just cut from a text
  const gains = new Map<Candidate, number>();
  const naming = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    let gain = candidate.worth;
    for (const name of candidate.names) {
      const worth = worths.get(name);
      if (worth === undefined) continue;
      gain += worth;
      const others = naming.get(name);
      if (others === undefined) naming.set(name, [candidate]);
      else others.push(candidate);
    }
    gains.set(candidate, gain);
  }
  return {
    gain: (candidate: Candidate): number => gains.get(candidate) ?? 0,
    tell({ names }: Candidate) {
      for (const whole of names) {
        for (const name of withParts(whole)) {
          for (const candidate of naming.get(name) ?? []) {
            gains.set(candidate, (gains.get(candidate) ?? 0) - (worths.get(name) ?? 0));
          }
          naming.delete(name);
        }
      }
    },
  };
}

/** A reader of `src/a/b.ts` has also read `src/a`, and `b.ts`. */
export function withParts(name: string): Set<string> {
  const parts = new Set([name]);
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    parts.add(name.slice(0, at));
    for (const part of namesIn(name.slice(at + 1))) parts.add(part);
  }
  return parts;
}
