import { expect, it } from 'vitest';
import { specKindOf } from '../spec-kind.js';

it.each([
  ['TAS.md', 'tas'],
  ['3_tas.md', 'tas'],
  ['technical-architecture.md', 'tas'],
  ['Technical Architecture Specification.md', 'tas'],
  ['PRD.md', 'prd'],
  ['02-product_requirements.markdown', 'prd'],
  ['SPEC.md', 'prd'],
  ['README.md', undefined],
  ['tas.txt', undefined],
  ['tasks.md', undefined],
  ['prd-of-the-old-shop.md', undefined],
  ['', undefined],
])('takes %j for %j', (name, kind) => {
  expect(specKindOf(name)).toBe(kind);
});
