import type { WorkflowTemplate } from '@devs/core';
import { Command, Option } from 'commander';
import { jsonOption, WORKFLOW_ARGUMENT } from '../program/options.js';
import { clip } from '../screen/clip.js';
import { widthOf } from '../screen/columns.js';
import { outputMode } from '../screen/output-mode.js';
import type { Screen } from '../screen/screen.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { wrapWords } from '../screen/wrap.js';
import { renderMermaid } from './graph/render-mermaid.js';
import { type GraphNode, type WorkflowGraph, workflowGraph } from './graph/workflow-graph.js';
import { loadWorkflow } from './open-workflow.js';
import { renderFacts } from './render-facts.js';
import { stepWords } from './step-words.js';
import type { WorkflowServices } from './workflow-services.js';

const MARGIN = '  ';
const BRACKET = { top: `${MARGIN}╭ `, side: `${MARGIN}│ `, bottom: `${MARGIN}╰ ` };
/** Facts stand below each other, unless a name is longer than this. */
const MAX_ALIGNED_COLUMNS = 30;

/** A workflow from top to bottom; what is repeated for each task stands in a bracket. */
function renderTree(
  { name, description }: Pick<WorkflowTemplate, 'name' | 'description'>,
  { nodes }: WorkflowGraph,
  screen: Screen,
): string[] {
  const { palette, columns } = screen;
  const path = nodes.filter(({ kind }) => kind !== 'failed');
  const widths = path.map((node) => widthOf(`${marginsOf(node)[0]}${nameOf(node)}`));
  const alignAt = Math.max(...widths.filter((width) => width <= MAX_ALIGNED_COLUMNS));
  return [
    palette.title(clip(name, columns)),
    ...wrapWords(visible(description.trim()), columns),
    '',
    ...path.flatMap((node, index) => [
      ...arrowTo(node, path[index - 1]).map((arrow) => palette.quiet(`${MARGIN}${arrow}`)),
      ...renderNode(node, screen, alignAt),
      ...(isLastOfLoop(node, path[index + 1]) ? [palette.quiet(`${BRACKET.bottom}↺ next task`)] : []),
    ]),
  ];
}

/** None at the top, nor between the head of a loop and its first sub-step. */
function arrowTo(node: GraphNode, before: GraphNode | undefined): string[] {
  if (before === undefined || before.kind === 'loop') return [];
  return [node.kind === 'sub-step' ? '│ ↓' : '↓'];
}

const isLastOfLoop = (node: GraphNode, next: GraphNode | undefined) =>
  node.kind === 'sub-step' && next?.parent !== node.parent;

function renderNode(node: GraphNode, screen: Screen, alignAt: number): string[] {
  if (node.step === undefined) return [screen.palette.quiet(`${MARGIN}${nameOf(node)}`)];
  return renderFacts(nameOf(node), factsOf(node), { screen, margins: marginsOf(node), alignAt });
}

const nameOf = ({ step, kind }: GraphNode) => visible(step ?? kind);

const factsOf = (node: GraphNode): string[] =>
  node.kind === 'loop' ? ['for each task'] : stepWords(node, { inLoop: node.kind === 'sub-step' });

function marginsOf({ kind }: GraphNode): readonly [string, string] {
  if (kind === 'loop') return [BRACKET.top, BRACKET.side];
  return kind === 'sub-step' ? [BRACKET.side, BRACKET.side] : [MARGIN, MARGIN];
}

const MORE_HELP = `
Examples:
  devs workflow graph default
  devs workflow graph default --mermaid > default.mmd
  devs workflow graph ./my.yaml --json | jq '.edges[]'`;

interface GraphOptions {
  readonly mermaid?: boolean;
  readonly json?: boolean;
}

export function workflowGraphCommand(services: WorkflowServices, done: (exitCode: number) => void): Command {
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
