import { Command } from 'commander';
import type { Services } from '../compose.js';
import { jsonOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { describeIgnored } from './describe-ignored.js';
import { examineWorkflow } from './examine-workflow.js';
import { type ListedWorkflow, renderWorkflowList } from './render-workflow-list.js';
import type { FoundWorkflow } from './workflow-files.js';

const MORE_HELP = `
Those of the project are in its .devs/workflows/. A name that comes with devs
stays with devs, unless you made the file with \`devs init\` or \`workflow new\`.

Examples:
  devs workflow list
  devs workflow list --json | jq -r '.workflows[].name'`;

export function workflowListCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('list')
    .description('List the workflows that can be named')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (options: { json?: boolean }) => {
      const found = await services.workflowFiles.find();
      const listed = await Promise.all(found.map((workflow) => examine(workflow, services)));
      for (const { ignored } of found)
        if (ignored !== undefined) services.complain(`devs: ${describeIgnored(ignored)}`);
      const asText = () => renderWorkflowList(listed, services.screen).join('\n');
      services.print(outputMode(options) === 'json' ? toJson({ workflows: listed.map(factsOf) }) : asText());
      done(0);
    });
}

async function examine(found: FoundWorkflow, { workflowFiles }: Services): Promise<ListedWorkflow> {
  const open = async () => ({ shown: found.shown, text: await workflowFiles.read(found) });
  return { ...(await examineWorkflow(found.shown, open)), ...found };
}

function factsOf(workflow: ListedWorkflow) {
  const { name, origin, path } = workflow;
  return workflow.ok
    ? { name, origin, path, steps: workflow.template.steps.length, description: workflow.template.description }
    : { name, origin, path, problems: workflow.problems };
}
