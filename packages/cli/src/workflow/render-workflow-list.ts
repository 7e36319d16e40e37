import { clip } from '../screen/clip.js';
import { widthOf } from '../screen/columns.js';
import type { Palette } from '../screen/palette.js';
import type { Screen } from '../screen/screen.js';
import { visible } from '../screen/visible.js';
import { wrapWords } from '../screen/wrap.js';
import { count } from '../words.js';
import type { ReadTemplate } from './read-template.js';
import type { FoundWorkflow } from './workflow-files.js';

export type ListedWorkflow = FoundWorkflow & ReadTemplate;

const GAP = '  ';
const MOST_NAME_COLUMNS = 30;
const FEWEST_TEXT_COLUMNS = 16;
const ORIGIN_COLUMNS = 'project'.length;

/** Workflows as aligned rows: name, origin, number of steps and what it is for, or why it does not load. */
export function renderWorkflowList(workflows: readonly ListedWorkflow[], screen: Screen): string[] {
  const nameColumns = Math.min(MOST_NAME_COLUMNS, widest(workflows.map(({ name }) => name)));
  const stepsColumns = widest(workflows.map(stepsOf));
  return [
    ...workflows.map((workflow) => renderRow(workflow, { nameColumns, stepsColumns }, screen)),
    ...(workflows.length === 0 ? [] : ['']),
    ...footer(workflows)
      .flatMap((sentence) => wrapWords(sentence, screen.columns))
      .map(screen.palette.quiet),
  ];
}

interface Layout {
  readonly nameColumns: number;
  readonly stepsColumns: number;
}

function renderRow(workflow: ListedWorkflow, { nameColumns, stepsColumns }: Layout, screen: Screen): string {
  const { palette, columns } = screen;
  const shown = visible(workflow.name); // never clipped: one must be able to copy it
  const name = `${shown}${' '.repeat(Math.max(0, nameColumns - widthOf(shown)))}`;
  const steps = stepsOf(workflow);
  const facts = [name, workflow.origin.padEnd(ORIGIN_COLUMNS), `${' '.repeat(stepsColumns - steps.length)}${steps}`];
  const room = columns - widthOf(facts.join(GAP)) - GAP.length;
  return [palette.title(name), ...facts.slice(1).map(palette.quiet), ...textOf(workflow, room, palette)].join(GAP);
}

function textOf(workflow: ListedWorkflow, room: number, palette: Palette): string[] {
  if (workflow.ok) return room < FEWEST_TEXT_COLUMNS ? [] : [clip(workflow.template.description.trim(), room)];
  const note = `${count(workflow.problems.length, 'problem')}: devs workflow check ${visible(workflow.name)}`;
  return [palette.bad(note)]; // never clipped: it is there to be copied
}

const stepsOf = (workflow: ListedWorkflow): string =>
  workflow.ok ? count(workflow.template.steps.length, 'step') : '–';

function footer(workflows: readonly ListedWorkflow[]): string[] {
  if (workflows.length === 0) return ['No workflows. Make one: devs workflow new NAME --starter'];
  return [`${count(workflows.length, 'workflow')}. See one: devs workflow show NAME`];
}

const widest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => widthOf(visible(text))));
