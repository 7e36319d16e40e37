import { Command } from 'commander';
import { jsonOption } from '../program/options.js';
import { clip } from '../screen/clip.js';
import { widthOf } from '../screen/columns.js';
import { outputMode } from '../screen/output-mode.js';
import type { Palette } from '../screen/palette.js';
import type { Screen } from '../screen/screen.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { wrapWords } from '../screen/wrap.js';
import { count } from '../words.js';
import type { FoundWorkflow } from './create-workflow-files.js';
import { describeIgnored, examineWorkflow, type ReadTemplate } from './read-template.js';
import type { WorkflowServices } from './workflow-services.js';

type ListedWorkflow = FoundWorkflow & ReadTemplate;

const GAP = '  ';
const MAX_NAME_COLUMNS = 30;
const MIN_TEXT_COLUMNS = 16;
const ORIGIN_COLUMNS = 'project'.length;

/** Workflows as aligned rows: name, origin, number of steps and what it is for, or why it does not load. */
function renderWorkflowList(workflows: readonly ListedWorkflow[], screen: Screen): string[] {
  const nameColumns = Math.min(MAX_NAME_COLUMNS, widest(workflows.map(({ name }) => name)));
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
  if (workflow.ok) return room < MIN_TEXT_COLUMNS ? [] : [clip(workflow.template.description.trim(), room)];
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

const MORE_HELP = `
Those of the project are in its .devs/workflows/. A name that comes with devs
stays with devs, unless you made the file with \`devs init\` or \`workflow new\`.

Examples:
  devs workflow list
  devs workflow list --json | jq -r '.workflows[].name'`;

export function workflowListCommand(services: WorkflowServices, done: (exitCode: number) => void): Command {
  return new Command('list')
    .description('List the workflows that can be named')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (options: { json?: boolean }) => {
      const found = await services.workflowFiles.find();
      const listed = await Promise.all(found.map((workflow) => examine(workflow, services)));
      for (const { ignored } of found) if (ignored !== undefined) services.warn(`devs: ${describeIgnored(ignored)}`);
      const asText = () => renderWorkflowList(listed, services.screen).join('\n');
      services.print(outputMode(options) === 'json' ? toJson({ workflows: listed.map(factsOf) }) : asText());
      done(0);
    });
}

async function examine(found: FoundWorkflow, { workflowFiles }: WorkflowServices): Promise<ListedWorkflow> {
  const open = async () => ({ shown: found.shown, text: await workflowFiles.read(found) });
  return { ...(await examineWorkflow(found.shown, open)), ...found };
}

function factsOf(workflow: ListedWorkflow) {
  const { name, origin, path } = workflow;
  return workflow.ok
    ? { name, origin, path, steps: workflow.template.steps.length, description: workflow.template.description }
    : { name, origin, path, problems: workflow.problems };
}
