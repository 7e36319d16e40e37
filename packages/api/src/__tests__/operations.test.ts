import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../openapi.js';
import type { Operation } from '../operations/define-operation.js';
import { OPERATIONS } from '../operations/operations.js';
import { parseRoute, placeInput } from '../operations/route.js';
import { renderOperations } from '../render-operations.js';

const operations = Object.entries(OPERATIONS) as [string, Operation][];

describe('the table of operations', () => {
  it('has one operation for each route', () => {
    const routes = operations.map(([, { route }]) => route.replace(/\{\w+\}/g, '{}'));

    expect(new Set(routes).size).toBe(routes.length);
  });

  it.each(operations)('%s takes every name of its path as a field', (_, { route, input }) => {
    for (const name of parseRoute(route).parameters) expect(input.shape).toHaveProperty(name);
  });

  it.each(operations)(
    '%s is open to agents only with the field that names their own thing',
    (_, { agentOf, input }) => {
      if (agentOf !== undefined) expect(input.shape).toHaveProperty(agentOf);
    },
  );

  it('gives viewers no way to change anything', () => {
    const changing = operations.filter(([name, { route }]) => route.startsWith('POST') && !name.startsWith('door.'));

    expect(changing.filter(([, { scope }]) => scope !== 'owner')).toEqual([]);
  });

  it('gives agents no way to change anything', () => {
    expect(operations.filter(([, { agentOf, scope }]) => agentOf !== undefined && scope === 'owner')).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  it('is the committed one (`pnpm schemas` writes it)', () => {
    const committed = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));

    expect(JSON.parse(JSON.stringify(openApiDocument()))).toEqual(committed);
  });

  it('refers to schemas that are in it', () => {
    const text = JSON.stringify(openApiDocument());
    const { components } = openApiDocument() as { components: { schemas: Record<string, unknown> } };

    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"/]+)"/g)) {
      expect(components.schemas).toHaveProperty(name);
    }
  });
});

describe('the guide', () => {
  it('lists every operation (`pnpm schemas` writes the list)', () => {
    const guide = readFileSync(new URL('../../../../docs/guides/api.md', import.meta.url), 'utf8');

    expect(guide).toContain(renderOperations());
  });
});

describe('an input', () => {
  it('goes into the path and the query of a GET', () => {
    const placed = placeInput(parseRoute('GET /v1/runs/{run}/events'), { run: 'a b/c', after: 3, limit: undefined });

    expect(placed).toEqual({ path: '/v1/runs/a%20b%2Fc/events', query: '?after=3' });
  });

  it('goes into the path and the body of a POST', () => {
    const placed = placeInput(parseRoute('POST /v1/runs/{run}/stop'), { run: 'abc', now: true });

    expect(placed).toEqual({ path: '/v1/runs/abc/stop', query: '', body: { now: true } });
  });
});
