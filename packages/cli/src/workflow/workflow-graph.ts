import { Command, Option } from 'commander';
import type { Services } from '../compose.js';
import { jsonOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { renderMermaid } from './graph/render-mermaid.js';
import { renderTree } from './graph/render-tree.js';
import { workflowGraph } from './graph/workflow-graph.js';
import { loadWorkflow } from './load-workflow.js';
import { WORKFLOW_ARGUMENT } from './workflow-argument.js';

const MORE_HELP = `
Examples:
  devs workflow graph default
  devs workflow graph default --mermaid > default.mmd
  devs workflow graph ./my.yaml --json | jq '.edges[]'`;

interface GraphOptions {
  readonly mermaid?: boolean;
  readonly json?: boolean;
}

export function workflowGraphCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('graph')
    .description('Draw the way through a workflow')
    .argument('<workflow>', WORKFLOW_ARGUMENT)
    .addOption(new Option('--mermaid', 'print a Mermaid flowchart').conflicts('json'))
    .addOption(jsonOption('print nodes and edges as one JSON object'))
    .addHelpText('after', MORE_HELP)
    .action(async (reference: string, options: GraphOptions) => {
      const { template } = await loadWorkflow(reference, services);
      const graph = workflowGraph(template);
      const asText = () => (options.mermaid ? renderMermaid(graph) : renderTree(template, graph, services.screen));
      services.print(outputMode(options) === 'json' ? toJson({ name: template.name, ...graph }) : asText().join('\n'));
      done(0);
    });
}
