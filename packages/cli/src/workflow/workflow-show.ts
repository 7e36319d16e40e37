import { Command } from 'commander';
import { jsonOption, WORKFLOW_ARGUMENT } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { type LoadedWorkflow, loadWorkflow } from './open-workflow.js';
import { renderWorkflow } from './render-workflow.js';
import type { WorkflowServices } from './workflow-services.js';

const MORE_HELP = `
Examples:
  devs workflow show default
  devs workflow show ./my.yaml --full
  devs workflow show default --json | jq '.steps[].id'`;

interface ShowOptions {
  readonly full?: boolean;
  readonly json?: boolean;
}

export function workflowShowCommand(services: WorkflowServices, done: (exitCode: number) => void): Command {
  return new Command('show')
    .description('Show a workflow: its agents, steps and loops')
    .argument('<workflow>', WORKFLOW_ARGUMENT)
    .option('--full', 'the whole instructions, not only their beginnings')
    .addOption(jsonOption('print the loaded template as one JSON object'))
    .addHelpText('after', MORE_HELP)
    .action(async (reference: string, options: ShowOptions) => {
      const workflow = await loadWorkflow(reference, services);
      const manner = { screen: services.screen, full: options.full === true };
      const asText = () => renderWorkflow(workflow.template, originOf(workflow), manner).join('\n');
      services.print(outputMode(options) === 'json' ? toJson(workflow.template) : asText());
      done(0);
    });
}

const originOf = ({ shown, found }: LoadedWorkflow) => (found === undefined ? shown : `${found.origin}: ${shown}`);
