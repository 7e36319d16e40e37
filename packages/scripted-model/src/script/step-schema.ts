import { z } from 'zod';
import type { Fault, ScriptedCall, Step } from './step.js';

const SPAN = /^(\d{1,9})(ms|s|m)?$/;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000 } as const;
const MAX_MS = 3_600_000;

/** `200ms`, `2s`, `1m` or a number of milliseconds, up to an hour; `undefined` for anything else. */
function parseSpan(text: string): number | undefined {
  const [, digits, unit = 'ms'] = SPAN.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const ms = Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return ms <= MAX_MS ? ms : undefined;
}

const MAX_REPEATS = 100_000;
const MAX_TOKENS = 1_000_000_000;

const Text = z.string().max(4_000_000);
const Characters = z.number().int().min(0);
const Tokens = z.number().int().min(0).max(MAX_TOKENS);
const Times = z.number().int().min(1).optional();
const Span = z
  .union([z.number().int(), z.string()], 'must be a time such as 200ms, 2s or 1m')
  .transform((value, context) => {
    const ms = parseSpan(String(value));
    if (ms === undefined) context.addIssue({ code: 'custom', message: 'must be a time such as 200ms, 2s or 1m' });
    return ms ?? z.NEVER;
  });

const Call = z
  .strictObject({ name: z.string().min(1), input: z.unknown().optional() })
  .transform(({ name, input }): ScriptedCall => ({ kind: 'tool', name, input: written(input) }));

const Run = z.string().min(1);

/** A custom tool takes free text, all others JSON. */
const written = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input ?? {}));

/** `drop: 40`, `hang: true` and `overflow: true` are short for mappings. */
const short = (value: unknown) => (typeof value === 'number' ? { after: value } : value === true ? {} : value);
const Break = z.preprocess(short, z.strictObject({ after: Characters.default(0), times: Times }));
const Overflow = z.preprocess(short, z.strictObject({ times: z.number().int().min(1).default(1) }));

const ModelError = z.preprocess(
  (value) => (typeof value === 'number' ? { status: value } : value),
  z.strictObject({
    status: z.number().int().min(400).max(599),
    type: z.string().optional(),
    code: z.string().optional(),
    message: z.string().optional(),
    retryAfter: z.number().min(0).optional(),
    headers: z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[^\r\n]*$/)).default({}),
    after: Characters.optional(),
    times: Times,
  }),
);

/** The steps by key: in a scenario file each step is a mapping with one of these. */
const SHAPE = {
  say: Text.optional(),
  json: z.unknown().optional(),
  think: Text.optional(),
  tool: Call.optional(),
  tools: z.array(Call).min(1).optional(),
  run: Run.optional(),
  usage: z.strictObject({ input: Tokens.optional(), output: Tokens.optional(), cached: Tokens.optional() }).optional(),
  delay: Span.optional(),
  pace: Span.optional(),
  cut: Characters.optional(),
  error: ModelError.optional(),
  overflow: Overflow.optional(),
  drop: Break.optional(),
  hang: Break.optional(),
};

const REPEAT_KEY = 'repeat';
const STEP_KEYS: readonly string[] = [...Object.keys(SHAPE), REPEAT_KEY];

export const StepSchema: z.ZodType<Step> = z.lazy(() =>
  z
    .strictObject({
      ...SHAPE,
      [REPEAT_KEY]: z
        .strictObject({ times: z.number().int().min(1).max(MAX_REPEATS), steps: z.array(StepSchema).min(1) })
        .optional(),
    })
    .transform((raw, context) => {
      if (context.issues.length > 0) return z.NEVER; // an unknown key is already reported
      const keys = Object.keys(raw);
      const step = keys.length === 1 ? toStep(raw) : undefined;
      if (step === undefined) {
        context.addIssue({
          code: 'custom',
          message: `must have one key of ${STEP_KEYS.join(', ')}; it has ${keys.length}`,
        });
      }
      return step ?? z.NEVER;
    }),
);

type Raw = { readonly [K in keyof typeof SHAPE]?: z.infer<(typeof SHAPE)[K]> } & {
  readonly repeat?: { readonly times: number; readonly steps: readonly Step[] } | undefined;
};

function toStep(raw: Raw): Step | undefined {
  if (raw.say !== undefined) return { kind: 'say', text: raw.say };
  // The same as JSON in one line, for agents whose protocol is JSON.
  if (raw.json !== undefined) return { kind: 'say', text: JSON.stringify(raw.json) };
  if (raw.think !== undefined) return { kind: 'think', text: raw.think };
  if (raw.tool !== undefined) return { kind: 'call', calls: [raw.tool] };
  if (raw.tools !== undefined) return { kind: 'call', calls: raw.tools };
  if (raw.run !== undefined) return { kind: 'call', calls: [{ kind: 'run', command: raw.run }] };
  if (raw.usage !== undefined) return { kind: 'usage', usage: raw.usage };
  if (raw.delay !== undefined) return { kind: 'delay', ms: raw.delay };
  if (raw.pace !== undefined) return { kind: 'pace', ms: raw.pace };
  if (raw.cut !== undefined) return { kind: 'cut', after: raw.cut };
  if (raw.overflow !== undefined) return { kind: 'overflow', ...raw.overflow };
  if (raw.drop !== undefined) return { kind: 'drop', ...raw.drop };
  if (raw.hang !== undefined) return { kind: 'hang', ...raw.hang };
  if (raw.error !== undefined) return toFault(raw.error);
  return raw.repeat === undefined ? undefined : { kind: 'repeat', ...raw.repeat };
}

function toFault({ after, times, retryAfter, headers, ...rest }: z.infer<typeof ModelError>): Fault {
  const waiting = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { kind: 'error', after, times, error: { ...rest, headers: { ...waiting, ...headers } } };
}
