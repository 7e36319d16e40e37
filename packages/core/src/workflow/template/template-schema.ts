import { z } from 'zod';
import { excerpt } from '../../yaml/excerpt.js';
import { choice, type DeepReadonly, flag, text, texts, whole, words } from '../../yaml/kinds.js';

/** 1 to 100 letters, digits, `_`, `-` and `.`; not a name that every object has a meaning for. */
const ID_PATTERN = '^(?!(__proto__|constructor|prototype)$)[\\p{L}\\p{M}\\p{N}_.-]{1,100}$';
const ID = new RegExp(ID_PATTERN, 'u');
const MAX_STEPS = 10_000;

const wordsForId = (id: string): string =>
  /^\w+$/.test(id) && id.length <= 100
    ? words('is a reserved word', 'choose another')
    : `must be 1 to 100 letters, digits, '_', '-' or '.', got: ${excerpt(id)}`;

const asId = <T extends z.ZodString>(schema: T) =>
  schema.refine((id) => ID.test(id), { error: ({ input }) => wordsForId(String(input)) }).meta({ pattern: ID_PATTERN });

/** The id of something in another part of the template. */
const reference = () => text().meta({ pattern: ID_PATTERN }).exactOptional();
const steps = <T extends z.ZodType>(step: T) =>
  z
    .array(step, { error: 'must be a list of steps' })
    .min(1, 'must have at least one step')
    .max(MAX_STEPS, {
      error: ({ input }) => `must have at most ${MAX_STEPS} steps, got: ${Array.isArray(input) ? input.length : 0}`,
    });
const named = <T extends z.ZodType>(value: T) => z.record(asId(z.string()), value).exactOptional();

const AGENT = 'The agent that works on this, by its name under `agents`. Without it: the main agent.';
const RETRIES = 'How often `on_fail: retry` tries again before the workflow fails. Default: 3.';
const onFail = () => choice('retry', 'skip', 'abort').exactOptional();
const context = () => choice('compact', 'clear').exactOptional();
const retries = () => whole(1, 100).exactOptional().describe(RETRIES);

type StepType = 'action' | 'loop' | 'ralph';

interface StepRule {
  readonly types: readonly StepType[];
  readonly isRequired: boolean;
  /** What to do with the key in a step of another type. */
  readonly otherwise: string;
}

/** Keys that only some types of steps have. */
export const STEP_RULES: Readonly<Record<'instructions' | 'loop' | 'n', StepRule>> = {
  instructions: {
    types: ['action', 'ralph'],
    isRequired: true,
    otherwise: 'they would be ignored; write them into the sub-steps of its loop',
  },
  loop: { types: ['loop'], isRequired: false, otherwise: 'only a step of type loop repeats a loop' },
  n: { types: ['ralph'], isRequired: true, otherwise: 'only a step of type ralph is done n times' },
};

/** The same for editors, and that `retries` means something only beside `on_fail: retry`. */
const stepRules = () => [
  ...Object.entries(STEP_RULES).flatMap(([key, { types, isRequired }]) => {
    const isOfType = { properties: { type: { enum: types } }, required: ['type'] };
    return [
      { if: isOfType, else: { properties: { [key]: false } } },
      ...(isRequired ? [{ if: { not: isOfType }, else: { required: [key] } }] : []),
    ];
  }),
  { dependencies: { retries: { properties: { on_fail: { const: 'retry' } }, required: ['on_fail'] } } },
];

const Step = z
  .strictObject({
    id: asId(text()).describe('Identifies the step. No other step has the same id.'),
    type: choice('action', 'loop', 'ralph').describe(
      '`action`: done once. `loop`: the sub-steps of a loop, for each task. `ralph`: done `n` times.',
    ),
    agent: reference().describe(AGENT),
    instructions: text().exactOptional().describe('What the agent is told to do.'),
    loop: reference().describe(
      'The loop to repeat, by its name under `loops`. Without it: the one with the id of the step, or the only one.',
    ),
    n: whole(1, 1_000).exactOptional().describe('How many times a ralph step is done.'),
    artefacts: flag().exactOptional().describe('Whether the files that this step makes are recorded.'),
    on_fail: onFail().describe(
      'What to do when the step fails, or, of a loop step, when a sub-step without its own `on_fail` fails. Default: abort.',
    ),
    retries: retries(),
    context: context().describe(
      'Before the step: `compact` shortens the conversation, `clear` starts one without history. Of a loop step: before each of its sub-steps that has none of its own.',
    ),
  })
  .meta({ allOf: stepRules() });

const SubStep = z.strictObject({
  id: asId(text()).describe('Identifies the sub-step. No other sub-step of the loop has the same id.'),
  agent: reference().describe(AGENT),
  instructions: text().describe(
    'What the agent is told to do. {task.id}, {task.title} and {task.description} are filled in.',
  ),
  on_fail: onFail().describe(
    'What to do when the sub-step fails; `skip` gives up the task and those that depend on it. Default: what the loop step says.',
  ),
  retries: retries(),
  context: context().describe(
    'Before the sub-step: `compact` shortens the conversation, `clear` starts one without history.',
  ),
});

const Agent = z.strictObject({
  description: text().describe('What the agent is for; given to every agent that works on the step.'),
  tools: texts().exactOptional().describe('The only tools that it may use. Without it: all.'),
  cannot: texts().exactOptional().describe('What it must not do.'),
});

/** A workflow template: every key with its values and its meaning. The loader and the published JSON Schema come from here. */
export const TemplateSchema = z.strictObject({
  name: text().describe('The name of the workflow.'),
  description: text().describe('What the workflow is for.'),
  agents: named(Agent).describe('Agents that steps may name.'),
  loops: named(steps(SubStep)).describe(
    'The sub-steps of each loop. A loop step does them all for a task before it continues with the next task.',
  ),
  steps: steps(Step).describe('What is done, in this order.'),
});

/** The shape for editors; published as `workflows/schema.json`. Only the loader checks what it cannot express. */
export const workflowTemplateJsonSchema = (): object => ({
  title: 'devs workflow template',
  // the newest draft that the YAML plugins of all editors know
  ...z.toJSONSchema(TemplateSchema, { target: 'draft-7', io: 'input' }),
});

/** An agent that steps may name; shown to the agent that works on the step. */
export type AgentConfig = DeepReadonly<z.infer<typeof Agent>>;
export type WorkflowStep = DeepReadonly<z.infer<typeof Step>>;
export type LoopStep = DeepReadonly<z.infer<typeof SubStep>>;
export type WorkflowTemplate = DeepReadonly<Omit<z.infer<typeof TemplateSchema>, 'steps'>> & {
  readonly steps: readonly [WorkflowStep, ...WorkflowStep[]];
};

/** Context action to perform before executing a step. */
export type StepContextAction = NonNullable<WorkflowStep['context']>;

/** What to do when a step fails. `retry` is bounded by `retries`; `skip` abandons the step or, in a loop, the task. */
export type OnFail = NonNullable<WorkflowStep['on_fail']>;
