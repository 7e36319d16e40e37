import { clip } from '../../screen/clip.js';
import { failureWords, stepWords } from '../step-words.js';
import type { GraphEdge, GraphNode, WorkflowGraph } from './workflow-graph.js';

const MAX_COLUMNS = 60;
/**
 * All that means something to Mermaid, to HTML, or to the placeholders that Mermaid puts in for entities. Also a colon:
 * Mermaid takes `style …:…#…;` for a style in any place, and a semicolon away from it.
 */
const MEANINGFUL = /[^\p{L}\p{M}\p{N} .,!?/+*=_'…·×↵-]|[ﬂ°¶ß]/gu;

/** Foreign text, as Mermaid shows it between quotes: special characters become entities. */
export const mermaidLabel = (text: string): string =>
  clip(text, MAX_COLUMNS).replace(MEANINGFUL, (character) => `#${character.codePointAt(0)};`);

/** A Mermaid flowchart: loops are subgraphs with an edge back, and dotted edges are for failures. */
export function renderMermaid({ nodes, edges }: WorkflowGraph): string[] {
  const known = new Map(nodes.map((node) => [node.id, node]));
  return [
    'flowchart TD',
    ...nodes.flatMap((node, index) => renderNode(node, nodes[index + 1])),
    ...edges.map((edge) => `  ${renderEdge(edge, known.get(edge.from))}`),
  ];
}

function renderNode(node: GraphNode, next: GraphNode | undefined): string[] {
  const { id, kind, step = kind } = node;
  switch (kind) {
    case 'loop':
      return [`  subgraph ${id}["${mermaidLabel(`${step}, for each task`)}"]`];
    case 'sub-step': {
      const isLast = next?.parent !== node.parent;
      return [`    ${id}["${labelOf(step, node)}"]`, ...(isLast ? ['  end'] : [])];
    }
    case 'step':
      return [`  ${id}["${labelOf(step, node)}"]`];
    default:
      return [`  ${id}(["${kind}"])`];
  }
}

/** Failures have edges of their own. */
const labelOf = (name: string, { on_fail: _, ...node }: GraphNode) =>
  [name, ...stepWords(node)].map(mermaidLabel).join('<br/>');

function renderEdge({ from, to, kind }: GraphEdge, source: GraphNode | undefined): string {
  switch (kind) {
    case 'next':
      return `${from} --> ${to}`;
    case 'next-task':
      return `${from} -->|"next task"| ${to}`;
    case 'again':
      return `${from} -->|"${mermaidLabel(`${source?.n ?? 1} times`)}"| ${to}`;
    default: {
      const { retries } = source ?? {};
      const words = failureWords(kind, {
        inLoop: source?.kind === 'sub-step',
        ...(retries !== undefined && { retries }),
      });
      return `${from} -.->|"${mermaidLabel(`failed, ${words}`)}"| ${to}`;
    }
  }
}
