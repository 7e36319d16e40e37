import { expect, it } from 'vitest';
import { requestOf } from '../request-of.js';

it('asks of an agent what stands in the description of a task, too', () => {
  expect(requestOf({ intent: 'Fix it' })).toBe('Fix it');
  expect(requestOf({ intent: 'Fix it', description: 'On both pages.' })).toBe('Fix it\n\nOn both pages.');
});
