import { z } from 'zod';
import { PURPOSES } from '../request/purpose-of.js';
import type { Step } from '../script/step.js';
import { StepSchema } from '../script/step-schema.js';
import { type Condition, DEFAULT_REPLY, isAboutOneRequest, type Rule, type Scenario } from './scenario.js';

const MAX_PATTERN_CHARACTERS = 500;
const APIS = ['anthropic-messages', 'openai-responses', 'openai-chat', 'gemini', 'in-process'] as const;

/** One text or several. */
const Texts = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(z.string().min(1)).default([]),
);

const Count = z.number().int().min(1);
const Call = z
  .preprocess(
    (value) => (typeof value === 'number' ? { from: value, to: value } : value),
    z.strictObject({
      from: Count.default(1),
      to: Count.default(Number.MAX_SAFE_INTEGER),
      every: Count.default(1),
    }),
  )
  .optional();

const Pattern = z
  .string()
  .max(MAX_PATTERN_CHARACTERS)
  .refine(isPattern, { error: 'is not a regular expression (JavaScript, with the flag u)' });

const When: z.ZodType<Condition> = z.strictObject({
  purpose: z.enum(PURPOSES).default('turn'),
  prompt: Texts,
  matches: Pattern.optional(),
  system: Texts,
  conversation: Texts,
  model: z.string().optional(),
  api: z.enum(APIS).optional(),
  toolResult: z
    .preprocess(
      (value) => (typeof value === 'string' ? { name: value } : value),
      z.strictObject({ name: z.string().optional(), contains: Texts }),
    )
    .optional(),
  offers: z.string().optional(),
  call: Call,
});

/** A text is short for one step that says it. */
const Reply = z.preprocess(
  (value) => (typeof value === 'string' ? [{ say: value }] : value),
  z.array(StepSchema).min(1),
) as z.ZodType<readonly Step[]>;

const RuleSchema: z.ZodType<Rule> = z
  .strictObject({ when: When.prefault({} as never), reply: Reply, times: Count.optional() })
  .superRefine(({ when, reply }, context) => {
    if (!isAboutOneRequest(when) || !goesOnBehindCall(reply)) return;
    const message = 'must end with its tools: a rule with toolResult or call answers one request';
    context.addIssue({ code: 'custom', path: ['reply'], message });
  });

function goesOnBehindCall(steps: readonly Step[]): boolean {
  const first = steps.findIndex((step) => step.kind === 'call' || step.kind === 'repeat');
  return first !== -1 && (steps[first]?.kind === 'repeat' || first < steps.length - 1);
}

export const ScenarioSchema: z.ZodType<Scenario> = z.strictObject({
  name: z.string().optional(),
  window: Count.optional(),
  scale: z.number().min(0).max(1_000_000).default(1),
  rules: z.array(RuleSchema).default([]),
  default: Reply.default(DEFAULT_REPLY),
});

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
