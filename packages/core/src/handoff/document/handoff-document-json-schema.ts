import { z } from 'zod';
import { handoffDocumentSchema } from './handoff-document-schema.js';

/** The shape of `devs handoff --json` for tools in any language; published as `schemas/handoff-document.schema.json`. */
export const handoffDocumentJsonSchema = () => ({
  title: 'HandoffDocument',
  ...z.toJSONSchema(handoffDocumentSchema),
});
