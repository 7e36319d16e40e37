import type { OnFail, StepContextAction, WorkflowStep } from '@devs/core';

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
