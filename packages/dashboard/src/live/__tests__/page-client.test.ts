import { OPERATIONS, type OperationName } from '@devs/api';
import { expect, it } from 'vitest';
import { ROUTES } from '../page-client.js';

it('asks by the routes of the table', () => {
  const table = Object.keys(ROUTES).map((name) => [name, OPERATIONS[name as OperationName].route]);

  expect(Object.entries(ROUTES)).toEqual(table);
});
