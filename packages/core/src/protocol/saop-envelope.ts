import { z } from 'zod';

const nonEmpty = z.string().min(1);

/**
 * One message between an agent and the orchestrator. A model's message has no `observation`: only the orchestrator
 * fills it in, after carrying out the action.
 */
// REQ: TAS-035
export const SAOPEnvelopeSchema = z.strictObject({
  schema_version: nonEmpty,
  turn_index: z.int().nonnegative(),
  agent_id: nonEmpty,
  phase: nonEmpty,
  thought: z.strictObject({
    reasoning: z.string(),
    plan: z.union([z.string(), z.array(z.string())], 'expected a string or an array of strings'),
    uncertainty: z
      .union([z.number(), z.string(), z.array(z.string())], 'expected a number, a string or an array of strings')
      .optional(),
  }),
  action: z.strictObject({
    tool_name: nonEmpty,
    arguments: z.record(z.string(), z.unknown()),
  }),
  observation: z
    .strictObject({
      status: nonEmpty,
      output: z.unknown(),
      error_detail: z.string().optional(),
    })
    .optional(),
});

/** The keys that the object at a path of an envelope may have; `undefined` where it may have any. */
export function envelopeKeysAt(path: readonly string[]): readonly string[] | undefined {
  const { thought, action, observation, ...others } = SAOPEnvelopeSchema.shape;
  const [name, ...deeper] = path;
  if (name === undefined) return Object.keys({ ...others, thought, action, observation });
  if (deeper.length > 0) return undefined;
  const parts: Readonly<Record<string, z.ZodObject>> = { thought, action, observation: observation.unwrap() };
  const part = parts[name];
  return part && Object.keys(part.shape);
}

export type SaopEnvelope = z.infer<typeof SAOPEnvelopeSchema>;
/** The spelling of seed 004. */
export type SAOP_Envelope = SaopEnvelope;
