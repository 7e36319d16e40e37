import type { WorkflowRun } from '@devs/core/folds';

type PartState = 'done' | 'now' | 'open' | 'failed' | 'skipped';

/** A box of the picture. */
export interface PicturePart {
  readonly id: string;
  readonly type: 'action' | 'loop' | 'ralph';
  readonly state: PartState;
  readonly output?: string;
  readonly context?: string;
  /** Rounds of a ralph step. */
  readonly rounds?: { readonly now: number; readonly of: number };
  /** Rounds of a loop, one for each task. */
  readonly tasks?: readonly {
    readonly id: string;
    readonly title: string;
    readonly state: PartState;
    readonly steps: readonly { readonly id: string; readonly state: PartState; readonly output?: string }[];
  }[];
}

/** The workflow as boxes, with where it is and what each has produced. Pure. */
export function workflowPicture({ template, state }: WorkflowRun): readonly PicturePart[] {
  const at = template.steps.findIndex(({ id }) => id === state.step);
  return template.steps.map((step, index) => {
    const isNow = index === at && state.status === 'running';
    const own: PartState =
      state.status === 'failed' && index === at
        ? 'failed'
        : state.status === 'complete' || index < at
          ? 'done'
          : isNow
            ? 'now'
            : 'open';
    const of = step.n ?? 1;
    const output = step.type === 'ralph' ? lastRound(state.outputs, step.id, of) : state.outputs[escaped(step.id)];
    return {
      id: step.id,
      type: step.type,
      state: own,
      ...(output === undefined ? {} : { output }),
      ...(step.context === undefined ? {} : { context: step.context }),
      ...(step.type === 'ralph'
        ? { rounds: { now: own === 'done' ? of : isNow ? (state.ralphIteration ?? 1) : 0, of } }
        : {}),
      ...(step.type === 'loop' ? { tasks: tasksOf({ template, state }, step.id) } : {}),
    };
  });
}

/** Each round improves what the one before has produced. */
function lastRound(outputs: Readonly<Record<string, string>>, step: string, of: number): string | undefined {
  const rounds = Array.from({ length: of }, (_, round) => outputs[`${escaped(step)}.${round + 1}`]);
  return rounds.findLast((output) => output !== undefined);
}

function tasksOf(
  { template, state }: Pick<WorkflowRun, 'template' | 'state'>,
  stepId: string,
): NonNullable<PicturePart['tasks']> {
  const step = template.steps.find(({ id }) => id === stepId);
  const loops = template.loops ?? {};
  const subSteps = loops[step?.loop ?? stepId] ?? Object.values(loops)[0] ?? [];
  return (state.tasks[stepId] ?? []).map((task) => {
    const isNow = state.step === stepId && state.task?.id === task.id && state.status === 'running';
    const now = isNow ? subSteps.findIndex(({ id }) => id === state.subStep) : -1;
    return {
      id: task.id,
      title: task.title,
      state: STATES[task.status],
      steps: subSteps.map(({ id }, index) => {
        const output = state.outputs[[stepId, task.id, id].map(escaped).join('.')];
        const isDone = output !== undefined || (isNow && index < now);
        return {
          id,
          state: isNow && index === now ? 'now' : isDone ? 'done' : 'open',
          ...(output === undefined ? {} : { output }),
        };
      }),
    };
  });
}

const STATES = { pending: 'open', in_progress: 'now', done: 'done', failed: 'failed' } as const;

/** As core writes the keys of outputs. */
const escaped = (id: string): string => id.replace(/[\\.]/g, '\\$&');
