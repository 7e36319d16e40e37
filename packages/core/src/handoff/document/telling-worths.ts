import type { Ledger } from '../ledger/ledger.js';
import { isActedOn, type Mention, worthOf } from '../ledger/mentions.js';

/**
 * Whether each name is meaningful: two words with a slash between them (`try/catch`) are only if they were used as a
 * path, or are a part of one.
 */
function tellingNames(ledger: Ledger): (name: string, mention: Mention) => boolean {
  const paths = [...ledger.files.keys()].map((path) => `/${path}/`);
  const isPartOfPath = (name: string) => paths.some((path) => path.includes(`/${name}/`));
  return (name, mention) =>
    !NOISE.has(name) && (!WORDS.test(name) || REMOTE.test(name) || isActedOn(mention) || isPartOfPath(name));
}

const WORDS = /^[A-Za-z]+(?:\/[A-Za-z]+){1,2}$/;
const REMOTE = /^(?:origin|upstream|refs)\//;

/** These stand in many texts and tell nothing about any. */
const NOISE = new Set([
  '/dev/null',
  'dev/null',
  'usr/bin/env',
  '/usr/bin/env',
  'bin/bash',
  '/bin/bash',
  '__main__',
  'in_progress',
]);

/** How likely a name is to be needed again, and where it was seen last. */
export interface NameWorth {
  readonly name: string;
  readonly place: string | undefined;
  readonly worth: number;
}

/** Every meaningful name of a conversation. */
export function tellingWorths(ledger: Ledger): readonly NameWorth[] {
  const isRelevant = tellingNames(ledger);
  const telling: NameWorth[] = [];
  for (const [name, known] of ledger.mentions) {
    if (isRelevant(name, known)) telling.push({ name, place: known.place, worth: worthOf(known, ledger.step) });
  }
  return telling;
}
