import type { LoopStep, OnFail, StepContextAction, WorkflowStep, WorkflowTemplate } from '@devs/core';
import fc from 'fast-check';
import type { GivenTask } from './model-tasks.js';

/**
 * Which token an agent passes; `stretched` is the current token with an extra digit, `former run` a token from before
 * a restart.
 */
export type TokenChoice = 'none' | 'current' | 'previous' | 'old' | 'nonsense' | 'stretched' | 'former run';

/** How a request reaches one of the two servers, and its answer the agent. */
type Way = 'once' | 'twice' | 'at both servers at once' | 'answer lost' | 'answer lost, server gone';

export type Command = { readonly server: 0 | 1; readonly way: Way } & (
  | { readonly do: 'start'; readonly restart: boolean }
  | { readonly do: 'status' | 'context' | 'restart server' }
  /** Stored without moving the workflow. */
  | { readonly do: 'write handoff' | 'register artefacts' }
  | { readonly do: 'set tasks'; readonly loop: string; readonly tasks: readonly GivenTask[] }
  /** What brings the workflow forward: a start, tasks where it waits for them, or an advance. */
  | { readonly do: 'go on'; readonly tasks: readonly GivenTask[] }
  | { readonly do: 'advance' | 'fail'; readonly token: TokenChoice; readonly which: number }
);

/** `loop` of a command that means the step where the workflow is, or the first loop from there on. */
export const CURRENT_LOOP = '(current)';
export const NEXT_LOOP = '(next)';

const STEP_IDS = ['plan', 'build', 'v1.2', 'toString', 'review'] as const;
const SUB_STEP_IDS = ['code', 'check.all', 'toString'] as const;
const TASK_IDS = ['a', 'b', 'c.d', 'valueOf', 'e'] as const;

/** The first in half of the cases. */
const often = <T>(usual: T, ...others: readonly T[]) => fc.oneof(fc.constant(usual), fc.constantFrom(...others));

interface Rules {
  readonly on_fail?: OnFail;
  readonly retries?: number;
  readonly context?: StepContextAction;
}

const rules: fc.Arbitrary<Rules> = fc
  .tuple(
    often<Rules>(
      {},
      { on_fail: 'skip' },
      { on_fail: 'skip' },
      { on_fail: 'abort' },
      { on_fail: 'retry' },
      { on_fail: 'retry', retries: 1 },
      { on_fail: 'retry', retries: 2 },
    ),
    often<Rules>({}, { context: 'compact' }, { context: 'clear' }),
  )
  .map(([whenItFails, before]) => ({ ...whenItFails, ...before }));

const subStep = (id: string) => rules.map((given): LoopStep => ({ id, instructions: `Do ${id}.`, ...given }));

const loop: fc.Arbitrary<readonly LoopStep[]> = fc
  .integer({ min: 1, max: SUB_STEP_IDS.length })
  .chain((count) => fc.tuple(...SUB_STEP_IDS.slice(0, count).map(subStep)));

const step = (id: string) =>
  fc.record({
    id: fc.constant(id),
    type: fc.constantFrom('loop' as const, 'loop' as const, 'action' as const, 'ralph' as const),
    n: fc.integer({ min: 1, max: 3 }),
    isShared: fc.boolean(),
    given: rules,
  });

/** One to five steps of all kinds. Loop steps have their own loop or share one. */
export const anyTemplate: fc.Arbitrary<WorkflowTemplate> = fc
  .record({
    steps: fc
      .integer({ min: 1, max: STEP_IDS.length })
      .chain((count) => fc.tuple(...STEP_IDS.slice(0, count).map(step))),
    loops: fc.tuple(loop, ...STEP_IDS.map(() => loop)),
  })
  .map(({ steps, loops: [shared, ...own] }) => {
    const used = new Map<string, readonly LoopStep[]>();
    const written = steps.map(({ id, type, n, isShared, given }, index): WorkflowStep => {
      if (type !== 'loop') {
        return withoutUndefined<WorkflowStep>({
          id,
          type,
          n: type === 'ralph' ? n : undefined,
          instructions: `Do ${id}.`,
          ...given,
        });
      }
      used.set(isShared ? 'shared' : id, isShared ? shared : (own[index] ?? shared));
      return withoutUndefined<WorkflowStep>({ id, type, loop: isShared ? 'shared' : undefined, ...given });
    });
    const loops = used.size > 0 ? { loops: Object.fromEntries(used) } : {};
    return {
      name: 'random',
      description: 'Drawn by a test',
      ...loops,
      steps: written as unknown as WorkflowTemplate['steps'],
    };
  });

/** Tasks may depend on those before them; then they are given in any order. */
const validTasks: fc.Arbitrary<readonly GivenTask[]> = fc
  .shuffledSubarray([...TASK_IDS], { maxLength: 4 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id, index) =>
        fc.record({
          id: fc.constant(id),
          title: fc.constantFrom(`Make ${id}`, `Mend ${id}`),
          depends_on: fc.oneof(
            fc.constant(undefined),
            fc.subarray(ids.slice(0, index), { maxLength: Math.min(index, 2) }),
          ),
          status: often<GivenTask['status']>(undefined, 'pending', 'in_progress', 'done', 'failed'),
        }),
      ),
    ),
  )
  .map((tasks) => tasks.map(withoutUndefined<GivenTask>))
  .chain((tasks) => fc.shuffledSubarray(tasks, { minLength: tasks.length }));

/** With ids and dependencies as they come: twice, unknown, in circles, or on tasks of an earlier list. */
const anyTasks: fc.Arbitrary<readonly GivenTask[]> = fc.array(
  fc
    .record({
      id: fc.constantFrom(...TASK_IDS),
      title: fc.constant('Any'),
      depends_on: fc.option(fc.subarray([...TASK_IDS, 'nobody'], { maxLength: 2 }), { nil: undefined }),
      status: often<GivenTask['status']>(undefined, 'in_progress', 'done', 'failed'),
    })
    .map(withoutUndefined<GivenTask>),
  { minLength: 1, maxLength: 4 },
);

const token = fc.oneof(
  { arbitrary: fc.constantFrom<TokenChoice[]>('none', 'current'), weight: 6 },
  { arbitrary: fc.constantFrom<TokenChoice[]>('previous', 'old', 'nonsense', 'stretched', 'former run'), weight: 4 },
);

const where = {
  server: fc.constantFrom<(0 | 1)[]>(0, 1),
  way: often<Way>('once', 'twice', 'at both servers at once', 'answer lost', 'answer lost, server gone'),
};

const ending = { token, which: fc.nat({ max: 50 }), ...where };

const start = fc.record({ do: fc.constant('start' as const), restart: fc.boolean(), ...where });

const loopId = fc.oneof(
  { arbitrary: fc.constantFrom(NEXT_LOOP, CURRENT_LOOP), weight: 4 },
  fc.constantFrom(...STEP_IDS, 'nothing'),
);

const command: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant('go on' as const), tasks: validTasks, ...where }), weight: 16 },
  { arbitrary: fc.record({ do: fc.constant('advance' as const), ...ending }), weight: 8 },
  { arbitrary: fc.record({ do: fc.constant('fail' as const), ...ending }), weight: 4 },
  {
    arbitrary: fc.record({ do: fc.constant('set tasks' as const), loop: loopId, tasks: validTasks, ...where }),
    weight: 5,
  },
  {
    arbitrary: fc.record({ do: fc.constant('set tasks' as const), loop: loopId, tasks: anyTasks, ...where }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      do: fc.constantFrom('status' as const, 'context' as const, 'restart server' as const),
      ...where,
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({ do: fc.constantFrom('write handoff' as const, 'register artefacts' as const), ...where }),
    weight: 2,
  },
  { arbitrary: start, weight: 1 },
);

/** Most begin with a start. */
export const anyCommands: fc.Arbitrary<readonly Command[]> = fc
  .tuple(fc.array(command, { maxLength: 2 }), start, fc.array(command, { maxLength: 40, size: 'max' }))
  .map(([before, first, after]) => [...(before.length < 2 ? [] : before), first, ...after]);

/** YAML and the schemas know absent, not undefined. */
function withoutUndefined<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}
