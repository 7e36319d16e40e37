import {
  type LoopStep,
  type OnFail,
  resolveLoop,
  type StepContextAction,
  type WorkflowStep,
  type WorkflowTemplate,
} from '@devs/core';

const START = 'start';
const DONE = 'done';
const FAILED = 'failed';

/** One step of the workflow, and how it is come in and gone out. */
interface Part {
  readonly step: WorkflowStep;
  readonly id: string;
  readonly subSteps: readonly { readonly id: string; readonly subStep: LoopStep }[];
  readonly entry: string;
  readonly exit: string;
}

/** What a workflow does. Sub-steps have what they inherit from their loop step; failures are there where they are set. */
export function workflowGraph(template: WorkflowTemplate): WorkflowGraph {
  const parts = template.steps.map((step, index) => partOf(step, `s${index + 1}`, resolveSubSteps(template, step)));
  const next = (index: number) => parts[index + 1]?.entry ?? DONE;
  const edges: GraphEdge[] = [
    { from: START, to: next(-1), kind: 'next' },
    ...parts.flatMap((part, index): GraphEdge[] => [
      ...edgesInside(part, next(index)),
      { from: part.exit, to: next(index), kind: 'next' },
    ]),
  ];
  const canFail = edges.some(({ to }) => to === FAILED);
  return {
    nodes: [
      { id: START, kind: 'start' },
      ...parts.flatMap(nodesOf),
      { id: DONE, kind: 'done' },
      ...(canFail ? [{ id: FAILED, kind: 'failed' } as const] : []),
    ],
    edges,
  };
}

const resolveSubSteps = (template: WorkflowTemplate, step: WorkflowStep): readonly LoopStep[] =>
  step.type === 'loop' ? (resolveLoop(template, step) ?? []) : [];

function partOf(step: WorkflowStep, id: string, loop: readonly LoopStep[]): Part {
  const subSteps = loop.map((subStep, index) => ({ id: `${id}_${index + 1}`, subStep }));
  return { step, id, subSteps, entry: subSteps[0]?.id ?? id, exit: subSteps.at(-1)?.id ?? id };
}

function nodesOf({ step, id, subSteps }: Part): GraphNode[] {
  const { type, n, agent, context, on_fail, retries, artefacts } = step;
  if (subSteps.length === 0) {
    const facts = defined({ n, agent, context, on_fail, retries, artefacts });
    return [{ id, kind: 'step', step: step.id, type, ...facts }];
  }
  return [
    { id, kind: 'loop', step: step.id, type },
    ...subSteps.map(({ id: own, subStep }): GraphNode => {
      const onFail = subStep.on_fail ?? on_fail;
      const facts = defined({
        agent: subStep.agent ?? agent,
        context: subStep.context ?? context,
        on_fail: onFail,
        retries: onFail === 'retry' ? (subStep.retries ?? retries) : undefined,
        artefacts,
      });
      return { id: own, kind: 'sub-step', parent: id, step: subStep.id, ...facts };
    }),
  ];
}

function edgesInside({ step, id, subSteps, entry, exit }: Part, next: string): GraphEdge[] {
  if (subSteps.length === 0) {
    const again: GraphEdge[] = step.type === 'ralph' ? [{ from: id, to: id, kind: 'again' }] : [];
    return [...again, ...failureEdges(id, step.on_fail, next)];
  }
  return [
    ...subSteps.slice(1).map(({ id: to }, index): GraphEdge => ({ from: subSteps[index]?.id ?? id, to, kind: 'next' })),
    { from: exit, to: entry, kind: 'next-task' },
    // An abandoned task is followed by the next.
    ...subSteps.flatMap(({ id: own, subStep }) => failureEdges(own, subStep.on_fail ?? step.on_fail, entry)),
  ];
}

function failureEdges(from: string, onFail: OnFail | undefined, skipTo: string): GraphEdge[] {
  if (onFail === undefined) return [];
  return [{ from, to: { retry: from, skip: skipTo, abort: FAILED }[onFail], kind: onFail }];
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const defined = <T extends object>(facts: T): Defined<T> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Defined<T>;

/** A place in a workflow. A `loop` is a group: its sub-steps follow it and have it as their `parent`. */
export interface GraphNode {
  /** Made up: ids of steps may hold what a notation does not allow. */
  readonly id: string;
  readonly kind: 'start' | 'step' | 'loop' | 'sub-step' | 'done' | 'failed';
  readonly parent?: string;
  /** The id in the workflow. */
  readonly step?: string;
  readonly type?: WorkflowStep['type'];
  readonly n?: number;
  readonly agent?: string;
  readonly context?: StepContextAction;
  readonly on_fail?: OnFail;
  readonly retries?: number;
  readonly artefacts?: boolean;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** `next`, `next-task` and `again` lead on and back; the others say what happens on a failure. */
  readonly kind: 'next' | 'next-task' | 'again' | OnFail;
}

/** Nodes stand in the order in which they are come to. Edges lead between nodes that are no groups. */
export interface WorkflowGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
