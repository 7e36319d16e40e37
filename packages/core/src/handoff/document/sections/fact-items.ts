import { cutShort } from '../../../text/cut-text.js';
import type { GitEvidence } from '../../evidence/git-evidence.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { likeliest } from '../likeliest.js';
import type { NameWorth } from '../telling-worths.js';
import { code, counted } from '../wording.js';
import { commitItems } from './git-items.js';

/** What was searched for; recent commits; names that are likely to be needed again, by the file where they were seen. */
export function factItems(
  ledger: Ledger,
  git: GitEvidence | undefined,
  names: readonly NameWorth[],
): readonly HandoffItem[] {
  return [...searchItems(ledger), ...nameItems(ledger, names), ...commitItems(ledger, git)];
}

function searchItems({ searches }: Ledger): readonly HandoffItem[] {
  return [...searches.values()].reverse().map(({ pattern, where, matches, from }, age) => {
    const place = where === undefined ? '' : ` in ${code(where)}`;
    const outcome = matches === 0 ? 'nothing found' : `${counted(matches, 'line')} found`;
    return {
      form: 'line',
      text: `Searched${place} for ${code(cutShort(pattern, 160))}: ${outcome}`,
      from: [from],
      worth: 1.5 / (1 + age / 8),
    };
  });
}

function nameItems(ledger: Ledger, names: readonly NameWorth[]): readonly HandoffItem[] {
  const from = ledger.notes.at(-1)?.from ?? ledger.requests.at(-1)?.from ?? { line: 1 };
  return likeliest(names, MAX_NAMES).map(({ name, place }) => ({
    form: 'name',
    text: name,
    ...(place === undefined ? {} : { label: place }),
    from: [from],
    worth: 0,
  }));
}

const MAX_NAMES = 1_500;
