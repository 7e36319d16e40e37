import type { AgentConfig, LoopStep, OnFail, StepContextAction, WorkflowStep, WorkflowTemplate } from '../types.js';

/**
 * Every key of a template: its meaning, values and place. The loader's checks and the published JSON Schema both come
 * from these tables, and the compiler compares them with the types.
 */
export interface Key<V extends Value = Value> {
  readonly description: string;
  readonly value: V;
  /** Always, or for steps of these types. */
  readonly required?: true | readonly StepType[];
  /** Steps of other types must not have it; `otherwise` says what to do there. */
  readonly only?: { readonly types: readonly StepType[]; readonly otherwise: string };
  /** Means something only beside another key with this value. */
  readonly beside?: { readonly key: string; readonly value: string };
}

export type Value = Text | Id | Reference | Choice | Flag | Count | Texts | Mapping | List | Named;

/** Any text that is not blank. */
interface Text {
  readonly kind: 'text';
}
interface Id {
  readonly kind: 'id';
}
/** The id of something in another part of the template. */
interface Reference {
  readonly kind: 'reference';
}
export interface Choice<V extends string = string> {
  readonly kind: 'choice';
  readonly values: readonly V[];
}
interface Flag {
  readonly kind: 'flag';
}
export interface Count {
  readonly kind: 'count';
  readonly least: number;
  readonly most: number;
}
interface Texts {
  readonly kind: 'texts';
}
export interface Mapping {
  readonly kind: 'mapping';
  readonly keys: Readonly<Record<string, Key>>;
}
/** At least one mapping; they differ by `id`. `called`: the name of one of them in messages. */
export interface List {
  readonly kind: 'list';
  readonly called: string;
  readonly of: Mapping;
}
/** Any number of them, each under an id. */
export interface Named {
  readonly kind: 'named';
  readonly called: string;
  readonly of: Mapping | List;
}

type StepType = WorkflowStep['type'];

/** 1 to 100 letters, digits, `_`, `-` and `.`; not a name that every object has a meaning for. */
export const ID_PATTERN = '^(?!(__proto__|constructor|prototype)$)[\\p{L}\\p{M}\\p{N}_.-]{1,100}$';
export const MOST_STEPS = 10_000;

const id = (description: string): Key<Id> => ({ description, value: { kind: 'id' }, required: true });
const agent: Key<Reference> = {
  description: 'The agent that works on this, by its name under `agents`. Without it: the main agent.',
  value: { kind: 'reference' },
};
const onFail = (description: string): Key<Choice<OnFail>> => ({
  description,
  value: { kind: 'choice', values: ['retry', 'skip', 'abort'] },
});
const retries: Key<Count> = {
  description: 'How often `on_fail: retry` tries again before the workflow fails. Default: 3.',
  value: { kind: 'count', least: 1, most: 100 },
};
const context = (description: string): Key<Choice<StepContextAction>> => ({
  description,
  value: { kind: 'choice', values: ['compact', 'clear'] },
});

/** `type` comes before the keys that depend on it, and `on_fail` before `retries`. */
const STEP = {
  id: id('Identifies the step. No other step has the same id.'),
  type: {
    description: '`action`: done once. `loop`: the sub-steps of a loop, for each task. `ralph`: done `n` times.',
    value: { kind: 'choice', values: ['action', 'loop', 'ralph'] },
    required: true,
  },
  agent,
  instructions: {
    description: 'What the agent is told to do.',
    value: { kind: 'text' },
    required: ['action', 'ralph'],
    only: {
      types: ['action', 'ralph'],
      otherwise: 'they would be ignored; write them into the sub-steps of its loop',
    },
  },
  loop: {
    description:
      'The loop to repeat, by its name under `loops`. Without it: the one with the id of the step, or the only one.',
    value: { kind: 'reference' },
    only: { types: ['loop'], otherwise: 'only a step of type loop repeats a loop' },
  },
  n: {
    description: 'How many times a ralph step is done.',
    value: { kind: 'count', least: 1, most: 1_000 },
    required: ['ralph'],
    only: { types: ['ralph'], otherwise: 'only a step of type ralph is done n times' },
  },
  artefacts: {
    description: 'Whether the files that this step makes are recorded.',
    value: { kind: 'flag' },
  },
  on_fail: onFail(
    'What to do when the step fails, or, of a loop step, when a sub-step without its own `on_fail` fails. Default: abort.',
  ),
  retries: { ...retries, beside: { key: 'on_fail', value: 'retry' } },
  context: context(
    'Before the step: `compact` shortens the conversation, `clear` starts one without history. Of a loop step: before each of its sub-steps that has none of its own.',
  ),
} as const satisfies KeysOf<WorkflowStep>;

const LOOP_STEP = {
  id: id('Identifies the sub-step. No other sub-step of the loop has the same id.'),
  agent,
  instructions: {
    description: 'What the agent is told to do. {task.id}, {task.title} and {task.description} are filled in.',
    value: { kind: 'text' },
    required: true,
  },
  on_fail: onFail(
    'What to do when the sub-step fails; `skip` gives up the task and those that depend on it. Default: what the loop step says.',
  ),
  retries,
  context: context('Before the sub-step: `compact` shortens the conversation, `clear` starts one without history.'),
} as const satisfies KeysOf<LoopStep>;

const AGENT = {
  description: {
    description: 'What the agent is for; given to whoever works on the step.',
    value: { kind: 'text' },
    required: true,
  },
  tools: { description: 'The only tools that it may use. Without it: all.', value: { kind: 'texts' } },
  cannot: { description: 'What it must not do.', value: { kind: 'texts' } },
} as const satisfies KeysOf<AgentConfig>;

const WORKFLOW = {
  name: { description: 'The name of the workflow.', value: { kind: 'text' }, required: true },
  description: { description: 'What the workflow is for.', value: { kind: 'text' }, required: true },
  agents: {
    description: 'Agents that steps may name.',
    value: { kind: 'named', called: 'Agent', of: { kind: 'mapping', keys: AGENT } },
  },
  loops: {
    description: 'The sub-steps of each loop. A loop step does them all for a task before it goes on to the next task.',
    value: {
      kind: 'named',
      called: 'Loop',
      of: { kind: 'list', called: 'Loop step', of: { kind: 'mapping', keys: LOOP_STEP } },
    },
  },
  steps: {
    description: 'What is done, in this order.',
    value: { kind: 'list', called: 'Step', of: { kind: 'mapping', keys: STEP } },
    required: true,
  },
} as const satisfies KeysOf<WorkflowTemplate>;

export const TEMPLATE: Mapping = { kind: 'mapping', keys: WORKFLOW };

type KeysOf<T> = { readonly [K in keyof T]-?: Key<ValueFor<NonNullable<T[K]>>> };

type ValueFor<T> = [T] extends [boolean]
  ? Flag
  : [T] extends [number]
    ? Count
    : [T] extends [string]
      ? string extends T
        ? Text | Id | Reference
        : Choice<Extract<T, string>>
      : T extends readonly string[]
        ? Texts
        : T extends readonly object[]
          ? List
          : Named;
