import type { StoredEvent } from '../ports/event-log.js';
import type { WorkflowRun } from './workflow-run.js';

/** The way that a run came since the last point that other machines can continue from. */
export interface Trail {
  /** Before the outputs of the event are taken in: they are those of `run` alone. */
  add(run: WorkflowRun, event: StoredEvent): void;
  /** The run as it was at the version that the event names. Takes back later outputs. */
  rewind(run: WorkflowRun, event: StoredEvent): WorkflowRun;
}

interface Mark {
  readonly run: WorkflowRun;
  /** Outputs that this event replaced; `undefined` for those that were not there. */
  readonly replaced: Readonly<Record<string, string | undefined>>;
}

/** Kept only for runs that may move to another machine. `outputs` is the growing object of the fold. */
export function createTrail(outputs: Record<string, string>): Trail {
  let marks: Mark[] = [];
  /** Of who may say that work was pushed. */
  let fence: number | undefined;
  return {
    add(run, { type, data }) {
      if (type === 'run.held') fence = Number(data['fence']);
      const replaced = Object.fromEntries(Object.keys(run.state.outputs).map((key) => [key, outputs[key]]));
      // The beginning is kept in any case: who holds the run is known only after it.
      if (fence !== undefined || marks.length < BEGINNING) marks.push({ run, replaced });
      if (type !== 'work.pushed' || Number(data['fence']) < (fence ?? 0)) return;
      const from = marks.findLastIndex((mark) => mark.run.version <= Number(data['upTo']));
      marks = marks.slice(Math.max(0, from));
    },
    rewind(run, { version, data }) {
      const to = Number(data['to']);
      while (marks.length > 1 && (marks.at(-1)?.run.version ?? 0) > to) {
        for (const [key, before] of Object.entries(marks.pop()?.replaced ?? {})) {
          if (before === undefined) delete outputs[key];
          else outputs[key] = before;
        }
      }
      const {
        contextAction: _,
        contextActionEnd: _end,
        lastEnded: _ended,
        turnEndWanted: _wanted,
        ...back
      } = marks.at(-1)?.run ?? run;
      // A number of its own: what a lost agent still says of its position is about none of this run.
      const state = { ...back.state, visit: run.state.visit + 1 };
      const { heldIn } = run;
      const rewound = { ...back, state, version, ...(heldIn === undefined ? {} : { heldIn }) };
      marks.push({ run: rewound, replaced: {} });
      return rewound;
    },
  };
}

/** `workflow.started`, `run.prepared`. */
const BEGINNING = 2;
