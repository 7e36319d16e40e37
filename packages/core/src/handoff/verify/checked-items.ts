import type { ItemOrigin } from '../document/handoff-document.js';
import { plainText, tracesOf } from './tells.js';
import { type HandoffEvidence, type WantedItem, wantedItems } from './wanted-items.js';

/** Something that a verification looked for. */
export interface CheckedItem {
  readonly what: WantedItem['what'];
  readonly text: string;
  /** The line of the handoff that carries it, counted from 0; missing if no line does. */
  readonly line?: number;
  /** Where it is known from, newest first: `line 12 of the transcript`, `git status`, `an earlier handoff`. */
  readonly sources: readonly string[];
}

const MAX_LETTERS = 160;
const MAX_SOURCES = 3;

/** Everything that a verification looks for, each with the line of the handoff that carries it. Pure. */
export function checkedItems(text: string, evidence: HandoffEvidence): readonly CheckedItem[] {
  const lineOf = createLineFinder(text);
  return wantedItems(evidence).map(({ what, item }) => {
    const [trace = ''] = tracesOf(item);
    const line = lineOf(trace);
    return {
      what,
      text: item.text.slice(0, MAX_LETTERS),
      ...(line === undefined ? {} : { line }),
      sources: [...new Set(item.from.map(describeOrigin))].reverse().slice(0, MAX_SOURCES),
    };
  });
}

/** Finds the line at which a trace begins; a quote runs over several lines. */
function createLineFinder(text: string): (trace: string) => number | undefined {
  let whole = '';
  const starts = text.split('\n').map((line) => {
    const start = whole.length;
    const plain = plainText(line);
    if (plain !== '') whole += `${plain} `;
    return start;
  });
  return (trace) => {
    const at = trace === '' ? -1 : whole.indexOf(trace);
    return at === -1 ? undefined : starts.findLastIndex((start) => start <= at);
  };
}

function describeOrigin(origin: ItemOrigin): string {
  if ('git' in origin) return `git ${origin.git}`;
  return 'handoff' in origin ? 'an earlier handoff' : `line ${origin.line} of the transcript`;
}
