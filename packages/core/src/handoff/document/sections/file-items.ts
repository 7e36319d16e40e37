import type { Ledger, LedgerFile } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { code, quoted, sentencesIn, times } from '../wording.js';

/** The newest first: it is the one that is being worked on. */
export function changedFileItems(ledger: Ledger): readonly HandoffItem[] {
  return newestFirst(ledger, ({ changes }) => changes > 0).map((file, age) =>
    fileItem(ledger, file, 20 / (1 + age / 15)),
  );
}

export function otherFileItems(ledger: Ledger): readonly HandoffItem[] {
  return newestFirst(ledger, ({ changes }) => changes === 0).map((file, age) =>
    fileItem(ledger, file, 5 / (1 + age / 20)),
  );
}

const newestFirst = ({ files }: Ledger, which: (file: LedgerFile) => boolean): readonly LedgerFile[] =>
  [...files.values()].filter(which).reverse();

const fileItem = ({ step }: Ledger, file: LedgerFile, worth: number): HandoffItem => ({
  form: 'line',
  text: `${code(file.path)}: ${[describeChanges(file), describeReads(file), ago(step - file.step)].filter((part) => part !== '').join(', ')}${reason(file)}`,
  from: [file.from],
  worth,
});

function describeChanges({ changes, how }: LedgerFile): string {
  if (changes === 0 || how === undefined) return '';
  if (how === 'written') return changes === 1 ? 'written whole' : `written whole, changed ${times(changes - 1)} since`;
  return `${how} ${times(changes)}`;
}

function describeReads({ reads, lines }: LedgerFile): string {
  if (reads === 0) return '';
  const last = lines.at(-1);
  if (last === undefined) return `read whole ${times(reads)}`;
  return `read ${times(reads)}, last from line ${last.first}${last.last === undefined ? ' on' : ` to ${last.last}`}`;
}

const ago = (steps: number) => (steps <= 1 ? 'just now' : `${steps} steps before the end`);

function reason({ why }: LedgerFile): string {
  const last = why === undefined ? undefined : sentencesIn(why).at(-1);
  return last === undefined || last.length < TELLING ? '' : `; why: ${quoted(last, 140)}`;
}

/** “Let me fix that.” is no reason. */
const TELLING = 30;
