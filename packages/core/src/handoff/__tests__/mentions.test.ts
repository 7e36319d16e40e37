import { describe, expect, it } from 'vitest';
import { worthOf } from '../ledger/mention.js';
import { Mentions } from '../ledger/mentions.js';
import { safeText } from '../safe-text.js';

const show = (mentions: Mentions, text: string, step = 1) =>
  mentions.show(text.length, () => safeText(text), { kind: 'result', step, place: `at ${step}` });

describe('the names of a conversation', () => {
  it('are those that were acted on and those that were shown', () => {
    const mentions = new Mentions();
    mentions.act('npm test -- src/a.ts', { kind: 'command', step: 1 });
    show(mentions, 'src/a.ts uses addUpCart', 2);
    expect([...mentions].map(([name, { place }]) => [name, place])).toEqual([
      ['src/a.ts', 'at 2'],
      ['addUpCart', 'at 2'],
    ]);
  });

  it('does not read shown text before it is needed', () => {
    const mentions = new Mentions();
    let reads = 0;
    const text = () => {
      reads += 1;
      return safeText('addUpCart');
    };
    mentions.show(9, text, { kind: 'result', step: 1 });
    expect(reads).toBe(0);
    expect([mentions.get('addUpCart')?.step, mentions.get('other')]).toEqual([1, undefined]);
    expect(reads).toBe(1);
  });

  it('are as likely in any order', () => {
    const worth = (...acts: readonly ('act' | 'show')[]) => {
      const mentions = new Mentions();
      for (const kind of acts) {
        if (kind === 'act') mentions.act('src/a.ts', { kind: 'command', step: 9 });
        else show(mentions, 'src/a.ts', 3);
      }
      const mention = mentions.get('src/a.ts');
      return mention === undefined ? 0 : worthOf(mention, 12);
    };
    expect(worth('act', 'show')).toBeCloseTo(worth('show', 'act'), 12);
    expect(worth('act', 'show')).toBeGreaterThan(worth('act'));
  });

  it('forgets what was shown long ago, not what was acted on', () => {
    const mentions = new Mentions();
    mentions.act('src/acted.ts', { kind: 'command', step: 0 });
    show(mentions, 'src/shown.ts', 0);
    for (let step = 1; step < 1_000; step++) show(mentions, `src/step-${step}.ts`, step);
    expect(mentions.get('src/acted.ts')).toBeDefined();
    expect(mentions.get('src/shown.ts')).toBeUndefined();
    expect([...mentions].length).toBeLessThan(500);
  });

  it('stay bounded however many are acted on', () => {
    const mentions = new Mentions();
    for (let step = 0; step < 20_000; step++) mentions.act(`src/step-${step}.ts`, { kind: 'command', step });
    expect([...mentions].length).toBeLessThanOrEqual(8_000);
    expect(mentions.get('src/step-19999.ts')).toBeDefined();
  });
});
