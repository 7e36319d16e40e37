import { describeProblem } from '@devs/core';
import { fitStart } from '../../screen/columns.js';
import { tail } from '../../screen/excerpt.js';
import { bodyColumns, labelled } from '../../screen/labelled.js';
import type { Screen } from '../../screen/screen.js';
import { visible } from '../../screen/visible.js';
import { wrapWords } from '../../screen/wrap.js';
import { count } from '../../words.js';
import type { Examination, Next, Verdict } from './examine.js';

const MAX_PROBLEMS = 10;

/** An examination as lines for people. */
export function renderExamination(examination: Examination, screen: Screen): string[] {
  const { verdict, envelope, next } = examination;
  const { palette } = screen;
  const columns = bodyColumns(screen.columns);
  const beside = (label: string, lines: readonly string[]) => labelled(label, lines, palette.quiet);
  const problems = envelope.valid ? [] : envelope.problems.map((problem) => visible(describeProblem(problem)));
  const good = verdict.kind === 'complete';
  return [
    ...beside('text', wrapWords(describeText(examination), columns)),
    ...beside('detect', wrapWords(headline(verdict), columns).map(good ? palette.good : palette.bad)),
    ...evidence(verdict, columns).flatMap(([label, line]) => beside(label, [palette.model(line)])),
    ...beside(
      'envelope',
      envelope.valid ? [palette.good('a valid SAOP envelope')] : [palette.bad('not a valid SAOP envelope')],
    ),
    ...problems.slice(0, MAX_PROBLEMS).flatMap((problem) => beside('', wrapWords(`- ${problem}`, columns))),
    ...(problems.length > MAX_PROBLEMS ? beside('', [`- and ${problems.length - MAX_PROBLEMS} more`]) : []),
    ...beside('devs', wrapWords(advice(next), columns).map(palette.devs)),
    ...(next.kind === 'resume' ? beside('', [palette.model(tail(next.from.tail, columns))]) : []),
  ];
}

const describeText = ({ characters, stopReason, finalLineBreak }: Examination) =>
  [
    count(characters, 'character'),
    ...(finalLineBreak === undefined ? [] : ['without the line break at the end']),
    ...(stopReason === undefined ? [] : [`stop reason ${visible(stopReason)}`]),
  ].join(', ');

function headline(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'complete':
      return `complete: JSON from character ${verdict.start} to ${verdict.end}${verdict.textAfter ? ', and text behind it' : ''}`;
    case 'cut-off':
      return `cut off ${CUT_IN[verdict.cutIn]}`;
    case 'malformed':
      return `malformed: line ${verdict.at.line}, column ${verdict.at.column} breaks the grammar, and no further text could mend it`;
    case 'no-json':
      return 'no JSON: neither an object nor an array begins in this text';
    case 'nothing-arrived':
      return 'nothing arrived: the answer ended before its JSON began';
  }
}

const CUT_IN = {
  start: 'before its first token',
  structure: 'between two tokens',
  key: 'inside a key',
  string: 'inside a string',
  number: 'inside a number, or after a number that may continue',
  literal: 'inside true, false or null',
} as const;

/** The places in the text that the verdict is about. */
function evidence(verdict: Verdict, columns: number): readonly (readonly [label: string, line: string])[] {
  if (verdict.kind === 'cut-off') {
    const { lastValidToken, resumablePrefix } = verdict;
    return [
      ['token', keptLine(lastValidToken, 'complete', columns)],
      ['resumable', keptLine(resumablePrefix, 'usable', columns)],
    ];
  }
  if (verdict.kind !== 'malformed') return [];
  const before = tail(verdict.before, Math.floor(columns / 2));
  return [['there', `${before}▌${fitStart(visible(verdict.after), columns - before.length - 1)}`]];
}

function keptLine(kept: { readonly characters: number; readonly tail: string }, what: string, columns: number): string {
  if (kept.characters === 0) return `(none is ${what})`;
  const size = `${count(kept.characters, 'character')} ${what}: `;
  return `${size}${tail(kept.characters > kept.tail.length ? `…${kept.tail}` : kept.tail, columns - size.length)}`;
}

function advice(next: Next): string {
  switch (next.kind) {
    case 'carry-out':
      return 'would carry out the action in it.';
    case 'correct':
      return 'would ask the model to say it again in the right form, at most twice.';
    case 'resume':
      return `would ask the model for the rest, behind these ${count(next.from.characters, 'character')}:`;
  }
}
