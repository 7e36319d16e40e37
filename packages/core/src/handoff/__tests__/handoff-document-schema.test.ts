import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rounds, seed } from '../../testing/rounds.js';
import { buildHandoff } from '../document/build-document.js';
import { handoffDocumentJsonSchema } from '../document/handoff-document-json-schema.js';
import { handoffDocumentSchema, parseHandoffDocument } from '../document/handoff-document-schema.js';
import { readHandoffText } from '../earlier/read-handoff-text.js';
import { renderHandoff } from '../render/render-handoff.js';
import { anyEvidence } from './random-evidence.js';

it('fits every document, also after a way through JSON and through text', () => {
  fc.assert(
    fc.property(anyEvidence, (evidence) => {
      const document = buildHandoff(evidence.ledger, evidence);
      expect(parseHandoffDocument(JSON.parse(JSON.stringify(document)))).toEqual(document);
      const again = readHandoffText(renderHandoff(document, { chars: 6_000 }));
      expect(handoffDocumentSchema.safeParse(again).error).toBeUndefined();
      expect(handoffDocumentSchema.safeParse(buildHandoff(evidence.ledger, { earlier: again })).error).toBeUndefined();
    }),
    { numRuns: rounds(60), seed: seed() },
  );
});

it.each([[null], ['text'], [{ version: 2 }], [{ version: 1, conversation: {}, sections: [], names: {} }]])(
  'is none: %j',
  (value) => {
    expect(parseHandoffDocument(value)).toBeUndefined();
  },
);

it('wants to know of every item where it comes from', () => {
  const item = { form: 'line', text: 'x', worth: 1, from: [] };
  const document = {
    version: 1,
    conversation: { compactions: 0 },
    sections: [{ id: 'facts', items: [item] }],
    names: {},
  };
  expect(parseHandoffDocument(document)).toBeUndefined();
});

it('is published as it is in the code: `pnpm schemas` writes it', () => {
  const published = readFileSync(new URL('../../../schemas/handoff-document.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(handoffDocumentJsonSchema())));
});
