import { Command } from 'commander';
import { workflowCheckCommand } from './workflow-check.js';
import { workflowGraphCommand } from './workflow-graph.js';
import { workflowListCommand } from './workflow-list.js';
import { workflowNewCommand } from './workflow-new.js';
import type { WorkflowServices } from './workflow-services.js';
import { workflowShowCommand } from './workflow-show.js';

const COMMANDS = [
  workflowListCommand,
  workflowShowCommand,
  workflowCheckCommand,
  workflowGraphCommand,
  workflowNewCommand,
];

export function workflowCommand(services: WorkflowServices, done: (exitCode: number) => void): Command {
  const workflow = new Command('workflow')
    .description('The steps that agents are led through.')
    .addHelpText('after', '\nExample:\n  devs workflow show default');
  for (const create of COMMANDS) workflow.addCommand(create(services, done));
  return workflow;
}
