import { cutAtEnd, cutShort } from '../../cut-at-end.js';
import type { Ledger, RecentResult } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { LABELS } from '../labels.js';
import { code } from '../wording.js';

/** The agent's last words, and what it saw last: the next call answers to it. The user's words stand at the top. */
export function exchangeItems({ notes, recent }: Ledger): readonly HandoffItem[] {
  const last = notes.at(-1);
  return [...[...recent].reverse().flatMap(resultItems), ...(last === undefined ? [] : [lastWords(last)])];
}

const lastWords = ({ text, from }: Ledger['notes'][number]): HandoffItem => ({
  form: 'quote',
  text: text.trim(),
  label: LABELS.lastWords,
  from: [from],
  worth: 20,
  share: 0.15,
});

function resultItems({ what, text, from }: RecentResult, age: number): readonly HandoffItem[] {
  const label = `${age === 0 ? 'From the last result' : 'From a result before'} (transcript line ${from.line}), of ${code(cutAtEnd(what, 100))}:`;
  const lines = text
    .split('\n')
    .filter((line) => line.replace(/[^A-Za-z]/g, '').length >= FEWEST_LETTERS && !/^\s*<\/?[a-z-]+>\s*$/.test(line));
  return lines.map((line) => ({
    form: 'excerpt',
    text: cutShort(line, LONGEST_LINE),
    label,
    from: [from],
    worth: 1.2 / (1 + age) / (1 + lines.length / 20),
  }));
}

const LONGEST_LINE = 220;
/** Lines of brackets and numbers say nothing without their neighbours. */
const FEWEST_LETTERS = 6;
