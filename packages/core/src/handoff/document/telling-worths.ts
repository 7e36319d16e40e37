import type { Ledger } from '../ledger/ledger.js';
import { worthOf } from '../ledger/mentions.js';
import { tellingNames } from './telling-names.js';

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
