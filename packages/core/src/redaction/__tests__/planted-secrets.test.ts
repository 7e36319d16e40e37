import { describe, expect, it } from 'vitest';
import { leftOf, MAKERS, plantedSecrets, SURROUNDINGS } from '../../testing/planted-secrets.js';
import { createRandom } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { redactJson } from '../redact-json.js';
import { redactText } from '../redact-text.js';

const PER_FORMAT = 20;
const MARK = '(here)';

describe('planted secrets', () => {
  it('are all gone from texts: 20 of each of 25 formats and more, in .env files, JSON, YAML, shells, code and logs', () => {
    const planted = plantedSecrets(createRandom(seed()), rounds(PER_FORMAT));

    const left = planted.filter(({ hidden, document }) => leftOf(hidden, redactText(document)) !== undefined);

    expect(planted.length).toBeGreaterThanOrEqual(500);
    expect(left.map(({ kind, document }) => ({ kind, document, redacted: redactText(document) }))).toEqual([]);
  });

  it('are all gone from JSON, wherever in it they stand', () => {
    const planted = plantedSecrets(createRandom(seed() + 1), PER_FORMAT);

    const left = planted.filter(({ hidden, document }) => {
      const stored = JSON.stringify(redactJson({ event: 'output', lines: [{ text: document }, document] }));
      return leftOf(JSON.stringify(hidden).slice(1, -1), stored) !== undefined;
    });

    expect(left.map(({ kind, document }) => ({ kind, document }))).toEqual([]);
  });

  it.each(Object.keys(MAKERS))('leave everything around them as it was: %s', (kind) => {
    const random = createRandom(seed());
    for (let round = 0; round < rounds(PER_FORMAT); round++) {
      const secret = MAKERS[kind]?.(random);
      if (secret === undefined || secret.isPlaced) continue;
      for (const surround of SURROUNDINGS) {
        const redacted = redactText(surround(secret.text));
        const [before = '', after = ''] = surround(MARK).split(MARK);
        expect(redacted.startsWith(before) && redacted.endsWith(after), redacted).toBe(true);
        expect(redacted.slice(before.length, redacted.length - after.length)).toMatch(/^\[redacted:[\w-]+\]$/);
      }
    }
  });
});
