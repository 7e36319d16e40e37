import { Command } from 'commander';
import { jsonOption, WORKFLOW_ARGUMENT } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { renderCheck } from './check/render-check.js';
import { openWorkflow } from './open-workflow.js';
import { type ExaminedWorkflow, examineWorkflow } from './read-template.js';
import type { WorkflowServices } from './workflow-services.js';

const MORE_HELP = `
Without an argument: all in the project's .devs/workflows/.

Examples:
  devs workflow check
  devs workflow check default ./my.yaml
  git show HEAD:flow.yaml | devs workflow check -

Exit codes: 0 no problems, 1 there are some, 2 wrong usage.`;

const NOTHING = 'No workflows in .devs/workflows/ to check. Make one: devs workflow new NAME';

export function workflowCheckCommand(services: WorkflowServices, done: (exitCode: number) => void): Command {
  return new Command('check')
    .description('Check workflows; problems are printed as compilers do')
    .argument('[workflow...]', WORKFLOW_ARGUMENT)
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (references: readonly string[], options: { json?: boolean }) => {
      const asked = references.length > 0 ? references : await namesOfProject(services);
      const examined: ExaminedWorkflow[] = [];
      for (const reference of asked) {
        const workflow = await examineWorkflow(reference, () => openWorkflow(reference, services));
        examined.push(await withPlaceholders(workflow));
      }
      const isWell = examined.every(({ ok }) => ok);
      const asText = () => (asked.length === 0 ? NOTHING : renderCheck(examined, services.screen).join('\n'));
      services.print(
        outputMode(options) === 'json' ? toJson({ ok: isWell, workflows: examined.map(factsOf) }) : asText(),
      );
      done(isWell ? 0 : 1);
    });
}

/** A workflow with a placeholder that nothing fills in can be run, and is not what its author meant. */
async function withPlaceholders(workflow: ExaminedWorkflow): Promise<ExaminedWorkflow> {
  if (!workflow.ok || workflow.text === undefined) return workflow;
  const { findUnknownPlaceholders } = await import('@devs/core/workflow');
  const problems = findUnknownPlaceholders(workflow.text);
  const { template: _, ...rest } = workflow;
  return problems.length === 0 ? workflow : { ...rest, ok: false, problems };
}

const namesOfProject = async ({ workflowFiles }: WorkflowServices): Promise<readonly string[]> =>
  (await workflowFiles.find()).filter(({ origin }) => origin === 'project').map(({ name }) => name);

const factsOf = (workflow: ExaminedWorkflow) => ({
  path: workflow.found?.path ?? workflow.shown,
  ok: workflow.ok,
  problems: workflow.ok ? [] : workflow.problems,
});
