import { describe, expect, it } from 'vitest';
import { freeId, slugOf } from '../make-task-id.js';

describe('an id from an intent', () => {
  it.each([
    ['Fix the login redirect', 'fix-login-redirect'],
    ["Don't retry /api/v2 calls!", 'dont-retry-api-v2-calls'],
    ['Überprüfe die Größe', 'uberprufe-die-grosse'],
    ['the', 'the'],
    ['修复登录', 'task'],
    ['-- ../../etc', 'etc'],
    ['x'.repeat(500), 'x'.repeat(24)],
    ['Move all of the billing code into a package of its own', 'move-all-billing-code'],
  ])('%j gives %s', (intent, id) => {
    expect(slugOf(intent)).toBe(id);
  });

  it('is a free one', async () => {
    const taken = new Set(['a', 'a-2']);

    expect(await freeId('a', (id) => taken.has(id))).toBe('a-3');
    expect(await freeId('b', (id) => taken.has(id))).toBe('b');
  });
});
