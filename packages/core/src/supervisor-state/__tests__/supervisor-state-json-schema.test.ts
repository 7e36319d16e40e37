import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { supervisorStateJsonSchema } from '../supervisor-state-json-schema.js';

it('the published JSON Schema equals the schema in the code (`pnpm schemas` writes it)', () => {
  const published = readFileSync(new URL('../../../schemas/supervisor-state.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(supervisorStateJsonSchema())));
});
