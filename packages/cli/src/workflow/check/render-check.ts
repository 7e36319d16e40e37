import { fitEnd, fitStart, widthOf } from '../../screen/columns.js';
import type { Screen } from '../../screen/screen.js';
import { visible } from '../../screen/visible.js';
import { wrapWords } from '../../screen/wrap.js';
import { count } from '../../words.js';
import type { ExaminedWorkflow, WorkflowProblem } from '../read-template.js';

const TAB = '    ';
/** No character takes more than this many UTF-16 units for each column, apart from piles of accents. */
const UNITS_PER_COLUMN = 4;
/** Of a long line, most of what is shown leads up to the place. */
const SHARE_BEFORE = 0.6;

interface SourceExcerpt {
  readonly text: string;
  /** How many columns of the text stand before the place. */
  readonly indent: number;
}

/** A line, made visible, or as much around the place as fits. The cost does not depend on its length. */
export function sourceExcerpt(line: string, column: number, columns: number): SourceExcerpt {
  const enough = columns * UNITS_PER_COLUMN;
  const place = Math.min(Math.max(column - 1, 0), line.length);
  const from = Math.max(0, place - enough);
  const before = show(line.slice(from, place));
  const after = show(line.slice(place, place + enough));
  const isWhole = from === 0 && line.length - place <= enough;
  if (isWhole && widthOf(before) + widthOf(after) <= columns) {
    return { text: `${before}${after}`.trimEnd(), indent: widthOf(before) };
  }
  const most = Math.floor(columns * SHARE_BEFORE);
  const head = from === 0 && widthOf(before) <= most ? before : `…${fitEnd(before, most - 1)}`;
  const room = columns - widthOf(head);
  const fits = line.length - place <= enough && widthOf(after) <= room;
  return { text: `${head}${fits ? after : `${fitStart(after, room - 1)}…`}`, indent: widthOf(head) };
}

const show = (text: string) => visible(text.replaceAll('\t', TAB));

/** Problems as compilers print them, so that editors and people find the places; at the end how many there are. */
export function renderCheck(workflows: readonly ExaminedWorkflow[], screen: Screen): string[] {
  const problems = workflows.flatMap((workflow) => (workflow.ok ? [] : renderProblems(workflow, screen)));
  return [...problems, summary(workflows, screen)];
}

function renderProblems(workflow: Extract<ExaminedWorkflow, { ok: false }>, screen: Screen): string[] {
  const { problems, text } = workflow;
  const shown = visible(workflow.shown);
  if (text === undefined) return problems.flatMap(({ message }) => [headline(shown, message, screen), '']);
  // As the loader counts: it leaves out a byte order mark, and a carriage return is part of the break.
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  return problems.flatMap((problem) => [
    ...renderProblem(problem, { shown, line: lines[problem.line - 1] ?? '' }, screen),
    '',
  ]);
}

const headline = (place: string, message: string, { palette }: Screen) =>
  `${palette.title(`${place}:`)} ${palette.bad('error:')} ${visible(message)}`;

interface Source {
  readonly shown: string;
  readonly line: string;
}

function renderProblem({ message, line, column, hint }: WorkflowProblem, source: Source, screen: Screen): string[] {
  const { palette, columns } = screen;
  const margin = ' '.repeat(String(line).length + 2);
  const excerpt = sourceExcerpt(source.line, column, columns - margin.length - 3);
  return [
    headline(`${source.shown}:${line}:${column}`, message, screen),
    ...(source.line.trim() === ''
      ? []
      : [
          `${palette.quiet(`  ${line} |`)} ${excerpt.text}`,
          `${palette.quiet(`${margin} |`)} ${' '.repeat(excerpt.indent)}${palette.bad('^')}`,
        ]),
    ...(hint === undefined ? [] : renderHint(visible(hint), margin, screen)),
  ];
}

const HINT = 'hint: ';

function renderHint(hint: string, margin: string, { palette, columns }: Screen): string[] {
  return wrapWords(hint, columns - margin.length - 1 - HINT.length).map((line, index) =>
    index === 0 ? `${margin} ${palette.devs(HINT.trimEnd())} ${line}` : `${margin} ${' '.repeat(HINT.length)}${line}`,
  );
}

function summary(workflows: readonly ExaminedWorkflow[], { palette }: Screen): string {
  const wrong = workflows.filter(({ ok }) => !ok);
  const problems = workflows.reduce((sum, workflow) => sum + (workflow.ok ? 0 : workflow.problems.length), 0);
  if (wrong.length === 0) return palette.good(`${count(workflows.length, 'workflow')}, no problems.`);
  const where = workflows.length === 1 ? '1 workflow' : `${wrong.length} of ${count(workflows.length, 'workflow')}`;
  return palette.bad(`${count(problems, 'problem')} in ${where}.`);
}
