import { describe, expect, it } from 'vitest';
import { describeExit } from '../describe-exit.js';
import { describeRenewal } from '../describe-renewal.js';

describe('what came of a renewal', () => {
  it('says what was ended with the old agent, and for what its user will be asked again', () => {
    const outcome = {
      status: 'renewed',
      refreshCount: 1,
      grants: [{ tool: 'Bash', detail: 'npm test' }],
      alsoEnded: ['vite', 'a', 'b', 'c', 'd', 'e', 'f'],
    } as const;
    expect(describeRenewal(outcome, { name: 'shop' })).toEqual([
      'Renewed shop. Back to the conversation before: devs renew shop --undo',
      'ended with the old agent: vite, a, b, c, d, and 2 others',
      'asks again for: Bash (npm test)',
    ]);
  });

  it('says what to do about a draft', () => {
    expect(describeRenewal({ status: 'refused', reason: 'draft' }, { name: 'shop' })[0]).toContain('--drop-draft');
  });
});

describe('the end of an agent', () => {
  it('is that of the signal, where one ended it', () => {
    expect(describeExit({ exitCode: 0, signal: 9 })).toBe('was ended by SIGKILL');
    expect(describeExit({ exitCode: 0, signal: 99 })).toBe('was ended by signal 99');
    expect(describeExit({ exitCode: 3 })).toBe('ended with exit code 3');
  });
});
