import { describe, expect, it } from 'vitest';
import { factOfNotice } from '../fact-of-notice.js';

describe('what the user is told', () => {
  it('can be read later, where no other event says it', () => {
    expect(factOfNotice({ kind: 'left-to-agent', why: 'it was renewed 10 times in a row' })).toEqual({
      type: 'agent.left-alone',
      why: 'it was renewed 10 times in a row',
    });
    expect(factOfNotice({ kind: 'trouble', detail: 'the disk is full' })).toEqual({
      type: 'trouble.met',
      detail: 'the disk is full',
    });
    expect(factOfNotice({ kind: 'escalated', why: 'recorded by itself' })).toBeUndefined();
  });
});
