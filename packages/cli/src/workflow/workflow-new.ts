import { Command, Option } from 'commander';
import { CliError, UsageError } from '../cli-error.js';
import { jsonOption } from '../program/options.js';
import { clip } from '../screen/clip.js';
import { labelled } from '../screen/labelled.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import type { MadeWorkflow } from './create-workflow-files.js';
import { renameTemplate } from './new/rename-template.js';
import { loadWorkflow } from './open-workflow.js';
import type { WorkflowServices } from './workflow-services.js';

/** A small workflow that shows what there is; every line of it may go. */
export const STARTER = `name: starter
description: Say here what this workflow is for

# Who may be named by steps. Without \`agent\` the main agent does a step.
agents:
  reviewer:
    description: Reads the changes and says what is wrong
    cannot: [change files]

# What is done, in this order.
steps:
  - id: plan
    type: action # done once
    instructions: |
      Read what the request touches, and split the work into tasks.

  - id: work
    type: loop # the sub-steps of the loop \`work\` below, for each task
    on_fail: retry # or skip, or abort
    retries: 2

  - id: polish
    type: ralph # done n times
    n: 2
    context: compact # shorten the conversation first; clear begins a new one
    instructions: |
      Look at everything again, and improve what is weakest.

  - id: review
    type: action
    agent: reviewer
    context: clear
    instructions: |
      Compare the changes with the request, and list what is wrong.

loops:
  work:
    - id: implement
      instructions: |
        Task {task.id}: {task.title}
        {task.description}
    - id: verify
      on_fail: skip # gives up this task, and continues with the next one
      instructions: |
        Run the tests, and show that the task is done.
`;

const MAX_SHOWN_COLUMNS = 40;

/** A name is also that of a file, and typed on command lines. */
function checkWorkflowName(name: string): void {
  const shown = clip(name, MAX_SHOWN_COLUMNS);
  if (/\.ya?ml$/i.test(name)) {
    throw new UsageError(`${shown}: give the name without .yaml; devs adds it.`);
  }
  if (!/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]{0,99}$/u.test(name)) {
    throw new UsageError(
      `${shown}: a name has 1 to 100 letters, digits, _, - and ., and begins with none of the last two.`,
    );
  }
}

const DEFAULT = 'default';

const MORE_HELP = `
Writes .devs/workflows/NAME.yaml of the project, and schema.json beside it, from
which the YAML plugins of editors know the keys; it is rewritten each
time. git ignores .devs/; to share a workflow: git add -f .devs/workflows

Examples:
  devs workflow new release
  devs workflow new hotfix --from bugfix
  devs workflow new mine --starter`;

interface NewOptions {
  readonly from?: string;
  readonly starter?: boolean;
  readonly json?: boolean;
}

export function workflowNewCommand(services: WorkflowServices, done: (exitCode: number) => void): Command {
  return new Command('new')
    .description('Make a workflow of the project’s own')
    .argument('<name>', 'how it is called: letters, digits, _, - and .')
    .option('--from <workflow>', `what to begin with, by name or file; default: ${DEFAULT}`)
    .addOption(new Option('--starter', 'start with a small, commented one').conflicts('from'))
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (name: string, options: NewOptions) => {
      checkWorkflowName(name);
      const known = await services.workflowFiles.find();
      const namesake = known.find((workflow) => workflow.name === name);
      if (namesake?.origin === 'project') throw thereAlready(namesake.shown);
      const usual = known.some((workflow) => workflow.name === DEFAULT) ? DEFAULT : undefined;
      const from = options.starter ? undefined : (options.from ?? usual);
      const text = from === undefined ? STARTER : (await loadWorkflow(from, services)).text;
      const made = await services.workflowFiles.make(name, await renameTemplate(text, name));
      const facts = { name, path: made.path, from: from ?? 'starter', schema: made.schema ?? null };
      const lines = () => describe(made, { from: facts.from, hides: namesake !== undefined }, services);
      services.print(outputMode(options) === 'json' ? toJson(facts) : lines().join('\n'));
      done(0);
    });
}

const thereAlready = (shown: string) =>
  new CliError(`${visible(shown)} already exists. Choose another name, or edit it.`);

interface Story {
  readonly from: string;
  /** Whether a shipped one has the same name. */
  readonly hides: boolean;
}

function describe(
  { name, shown, schema }: MadeWorkflow,
  { from, hides }: Story,
  { screen }: WorkflowServices,
): string[] {
  const path = visible(shown);
  const beside = (label: string, ...lines: readonly string[]) => labelled(label, lines, screen.palette.quiet);
  const place = hides ? [`it counts before the ${name} that comes with devs`] : [];
  const help =
    schema === undefined ? 'with any editor' : 'a YAML plugin of your editor knows the keys from schema.json';
  return [
    ...beside('made', `${path}, from ${visible(from)}`, ...place),
    ...beside('edit', help),
    ...beside('check', `devs workflow check ${name}`),
    ...beside('use', `devs mcp --workflow-path ${path}`),
  ];
}
