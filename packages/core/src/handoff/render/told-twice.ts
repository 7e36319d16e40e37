import type { Candidate } from './candidate.js';
import { withParts } from './untold.js';

/** Names by themselves that another item tells, too: it was taken later, as it says more than they do. */
export function namesToldTwice(taken: ReadonlySet<Candidate>): readonly Candidate[] {
  const told = new Set<string>();
  const isName = ({ item }: Candidate) => item.form === 'name';
  for (const candidate of taken) {
    if (isName(candidate)) continue;
    for (const name of candidate.names) for (const part of withParts(name)) told.add(part);
  }
  return [...taken].filter((candidate) => isName(candidate) && told.has(candidate.item.text));
}
