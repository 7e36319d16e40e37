import { cutAtEnd, cutShort } from '../../../text/cut-text.js';
import type { Ledger, RecentResult } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { LABELS } from '../labels.js';
import { code } from '../wording.js';

/** The agent's last words, and what it saw last: the next call answers to it. The user's words stand at the top. */
export function exchangeItems({ notes, recent, requests }: Ledger): readonly HandoffItem[] {
  const last = notes.at(-1);
  // Words before the last request stand beside it.
  const isAnswered =
    last !== undefined && requests.at(-1)?.replyTo !== undefined && last.step < (requests.at(-1)?.step ?? 0);
  const result = recent.at(-1);
  const results = result === undefined ? [] : resultItems(result);
  return last === undefined || isAnswered ? results : [...results, lastWords(last)];
}

const lastWords = ({ text, from }: Ledger['notes'][number]): HandoffItem => ({
  form: 'quote',
  text: text.trim(),
  label: LABELS.lastWords,
  from: [from],
  worth: 50,
  required: true,
  share: 0.15,
});

/** Lines that stand together: a line alone says little. */
function resultItems({ what, text, from }: RecentResult): readonly HandoffItem[] {
  const label = `From the last result (transcript line ${from.line}), of ${code(cutAtEnd(what, 100))}:`;
  const blocks = blocksOf(text.replace(USAGE, '').split('\n'));
  return blocks.map((block) => ({
    form: 'excerpt',
    text: block.map((line) => cutShort(line, MAX_LINE_LENGTH)).join('\n'),
    label,
    from: [from],
    worth: 1.2 / (1 + blocks.length / 10),
  }));
}

/** What the agent program adds to the report of a sub-agent. */
const USAGE = /\n?(?:agentId: [^\n]*\n)?<usage>[\s\S]*?<\/usage>\s*$/;

/** By paragraphs, where they are not too long; none has a single line unless the whole has. */
function blocksOf(lines: readonly string[]): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    const block = blocks.at(-1) as string[];
    const isBlank = BLANK.test(line);
    if (block.length >= (isBlank ? MIN_LINES : MAX_LINES)) blocks.push(isBlank ? [] : [line]);
    else if (!isBlank) block.push(line);
  }
  const [before, last] = blocks.slice(-2);
  if (before !== undefined && last !== undefined && last.length < MIN_LINES) before.push(...(blocks.pop() ?? []));
  return blocks.filter((block) => block.join('').replace(/[^A-Za-z]/g, '').length >= MIN_LETTERS);
}

/** Nothing, a bracket, a fence, a tag; also with the number of its line in front. */
const BLANK = /^\s*(?:\d+[→:\t])?[\s{}()[\],;`'"]*$|^\s*<\/?[a-z-]+>\s*$/;
const MIN_LINES = 2;
const MAX_LINES = 3;
const MAX_LINE_LENGTH = 220;
/** Numbers and signs say nothing. */
const MIN_LETTERS = 6;
