import { z } from 'zod';
import { FORMS, type HandoffDocument, SECTIONS, type SectionId } from './handoff-document.js';

const origin = z.union([
  z.strictObject({
    line: z.int().min(0).describe('counted from 1, in the transcript'),
    byteOffset: z.int().min(0).exactOptional(),
    at: z.string().exactOptional().describe('ISO 8601'),
    id: z.string().exactOptional().describe("the agent's own name for the record"),
    subAgent: z.string().exactOptional(),
  }),
  z.strictObject({ git: z.enum(['status', 'log']) }),
  z.strictObject({ handoff: z.string().describe('the conversation that left it, where it is known') }),
]);

const item = z.object({
  form: z.enum(FORMS),
  text: z.string().describe('what has to be said; of a quote, its beginning may be enough'),
  detail: z.string().exactOptional().describe('what follows the text where there is room for it'),
  label: z.string().exactOptional(),
  from: z.array(origin).min(1),
  worth: z.number(),
  required: z.boolean().exactOptional(),
  share: z.number().exactOptional(),
  wholeShare: z.number().exactOptional(),
});

/** What `devs handoff --json` prints. What later versions may add is let through. */
export const handoffDocumentSchema = z.object({
  version: z.literal(1),
  conversation: z.object({
    id: z.string().exactOptional(),
    folder: z.string().exactOptional(),
    branch: z.string().exactOptional(),
    model: z.string().exactOptional(),
    compactions: z.int().min(0),
    renewals: z.int().min(0).exactOptional(),
  }),
  sections: z.array(z.object({ id: z.enum(Object.keys(SECTIONS) as [SectionId]), items: z.array(item) })),
  names: z.record(z.string(), z.number()).describe('how likely each name is to be needed again'),
}) satisfies z.ZodType<HandoffDocument>;

/** A document from what was a JSON text, or nothing where it is none. */
export function parseHandoffDocument(value: unknown): HandoffDocument | undefined {
  const parsed = handoffDocumentSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
