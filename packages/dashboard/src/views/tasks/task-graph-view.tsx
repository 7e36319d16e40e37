import { Graph, layout } from '@dagrejs/dagre';
import type { TaskView } from '../../fold/task-graph.js';

const [WIDTH, HEIGHT] = [220, 58];
const MOST = 300;
/** A wide graph is drawn smaller, as long as it can be read. */
const MIN_SCALE = 0.7;

/** Tasks and what they wait for, from left to right. */
export default function TaskGraphView({
  tasks,
  path,
}: {
  readonly tasks: readonly TaskView[];
  readonly path: readonly string[];
}) {
  const shown = tasks.slice(0, MOST);
  const { nodes, edges, width, height } = placed(shown);
  const isOnPath = (from: string, to: string) => path.indexOf(from) !== -1 && path[path.indexOf(from) + 1] === to;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <div className="scroll graph" role="tabpanel" aria-label="Graph" tabIndex={0}>
      <svg
        style={{ width, minWidth: width * MIN_SCALE }}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label="Tasks and what they wait for"
      >
        {edges.map(({ from, to, points }) => (
          <path key={`${from} ${to}`} d={points} data-critical={isOnPath(from, to)} />
        ))}
        {nodes.map(({ task, x, y }) => (
          <g key={task.id} transform={`translate(${x - WIDTH / 2} ${y - HEIGHT / 2})`} data-status={task.status}>
            <title>{`${task.id}: ${task.intent} (${task.why})`}</title>
            <rect width={WIDTH} height={HEIGHT} rx="8" data-critical={path.includes(task.id)} />
            <foreignObject width={WIDTH} height={HEIGHT}>
              <p className="clip">{task.intent}</p>
              <p className="clip quiet">{task.why}</p>
            </foreignObject>
          </g>
        ))}
      </svg>
    </div>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** From the right side of a box to the left side of another one, by the points where it passes between others. */
function curve(from: Point, to: Point, between: readonly Point[]): string {
  const way = [{ x: from.x + WIDTH / 2, y: from.y }, ...between, { x: to.x - WIDTH / 2, y: to.y }];
  const parts = way.map(({ x, y }, index) => {
    const before = way[index - 1];
    if (before === undefined) return `M ${x} ${y}`;
    const middle = (before.x + x) / 2;
    return `C ${middle} ${before.y} ${middle} ${y} ${x} ${y}`;
  });
  return parts.join(' ');
}

function placed(tasks: readonly TaskView[]) {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 46, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  const ids = new Set(tasks.map(({ id }) => id));
  for (const { id } of tasks) graph.setNode(id, { width: WIDTH, height: HEIGHT });
  for (const { id, depends_on } of tasks)
    for (const on of depends_on.filter((name) => ids.has(name))) graph.setEdge(on, id);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const nodes = tasks.map((task) => ({ task, ...(graph.node(task.id) as { x: number; y: number }) }));
  const edges = (graph.edges() as readonly { v: string; w: string }[]).map((edge) => {
    const { points } = graph.edge(edge) as { points: readonly Point[] };
    const [from, to] = [edge.v, edge.w].map((id) => graph.node(id) as Point) as [Point, Point];
    return { from: edge.v, to: edge.w, points: curve(from, to, points.slice(1, -1)) };
  });
  return { nodes, edges, width, height };
}
