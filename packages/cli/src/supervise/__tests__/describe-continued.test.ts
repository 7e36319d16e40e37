import { describe, expect, it } from 'vitest';
import { describeContinued } from '../continue-left.js';

const HELD = {
  runs: [{ id: 'run-1', folder: '/shop', state: 'running' as const }],
  terminals: [{ name: 'shop', folder: '/shop' }],
};

describe('what a new supervisor continues', () => {
  it.each([
    [undefined, 'devs: no supervisor was running. A new one continues run run-1, terminal shop.'],
    ['0.1.0', 'devs: ended the supervisor of devs 0.1.0. A new one continues run run-1, terminal shop.'],
  ])('is said with the reason for it; replaced: %s', (replaced, text) => {
    expect(describeContinued(HELD, replaced)).toBe(text);
  });
});
