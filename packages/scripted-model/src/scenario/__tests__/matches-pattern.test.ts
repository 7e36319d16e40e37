import { describe, expect, it } from 'vitest';
import { matchesPattern } from '../rule-fits.js';

describe('a pattern', () => {
  it('matches or does not', () => {
    expect([matchesPattern('^fix .*login$', 'fix the login'), matchesPattern('^x', 'a x')]).toEqual([true, false]);
  });

  it('that would take forever is aborted', () => {
    expect(matchesPattern('^(a+)+$', `${'a'.repeat(60)}b`)).toBeUndefined();
  });
});
