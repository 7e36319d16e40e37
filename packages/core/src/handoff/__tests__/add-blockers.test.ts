import { expect, it } from 'vitest';
import { addBlockers } from '../document/add-blockers.js';
import { buildHandoff } from '../document/build-document.js';
import { createLedger } from '../ledger/ledger.js';
import { renderHandoff, smallestBudget } from '../render/render-handoff.js';

const blocked = [
  { task_id: 'deploy', intent: 'Deploy it', reason: 'no key' },
  { task_id: 'docs', reason: 'waits for deploy' },
];

it('holds what the queue blocks, however small its budget is', () => {
  const document = addBlockers(buildHandoff(createLedger(), {}), blocked);
  const text = renderHandoff(document, { chars: smallestBudget(document) });
  expect(text).toContain('Blocked in the queue: deploy (Deploy it): no key');
  expect(text).toContain('Blocked in the queue: docs: waits for deploy');
});

it('is the same without blockers', () => {
  const document = buildHandoff(createLedger(), {});
  expect(addBlockers(document, [])).toBe(document);
});
