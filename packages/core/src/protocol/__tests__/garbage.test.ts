import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { randomEnvelope } from '../../testing/tool-calls.js';
import { joinCompletion } from '../json/join-completion.js';
import { parseSaopEnvelope } from '../parse-saop-envelope.js';
import { detect } from '../partial-completion-detector.js';
import { resumePoint } from '../resume-point.js';

describe('garbage of every kind', () => {
  it('goes through detect, parse and join without an exception, and out as a typed answer', () => {
    const random = createRandom(seed());
    for (let round = 0; round < rounds(1_000, 1_000_000); round++) {
      const text = garbage(random);
      const more = garbage(random);
      const stopReason = random.pick([undefined, 'max_tokens', 'end_turn']);
      const detection = detect(text, { stopReason });
      const parsed = parseSaopEnvelope(text);
      if (detection.partial) {
        expect(parsed.valid, text).toBe(false);
        expect(text).toContain(detection.resumablePrefix);
        expect(detection.resumablePrefix.startsWith(detection.lastValidToken)).toBe(true);
        const { prefix, received } = resumePoint(detection);
        expect(prefix + received).toBe(detection.resumablePrefix);
        expectTyped(joinCompletion(prefix, more, { received, stopReason }));
      } else if (!parsed.valid) {
        expect(parsed.problems.length).toBeGreaterThan(0);
      }
      expectTyped(joinCompletion(text, more, { stopReason }));
    }
  }, 0);
});

/** Every joined text is JSON, or its beginning. */
function expectTyped(result: ReturnType<typeof joinCompletion>): void {
  if (!result.joined) expect(result.reason).toMatch(/^[a-z-]+$/);
  else if (result.complete) JSON.parse(result.text);
}

function garbage(random: Random): string {
  switch (random.below(5)) {
    case 0: // bytes
      return String.fromCharCode(...Array.from({ length: random.below(60) }, () => random.below(256)));
    case 1: // any UTF-16 units, lone surrogates included
      return String.fromCharCode(...Array.from({ length: random.below(40) }, () => random.below(65_536)));
    case 2: // what JSON is made of
      return Array.from({ length: random.below(40) }, () => random.pick(PIECES)).join('');
    case 3: {
      const document = JSON.stringify(randomEnvelope(random));
      const from = random.below(document.length);
      return document.slice(random.chance(0.5) ? 0 : from, from + random.below(document.length));
    }
    default: {
      const document = JSON.stringify(randomEnvelope(random));
      const at = random.below(document.length);
      return document.slice(0, at) + random.pick(PIECES) + document.slice(at + random.below(3));
    }
  }
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\\u',
  '\\ud83d',
  '0',
  '-1',
  '1.5e',
  'true',
  'nul',
  ' ',
  '\n',
  '```',
  'a',
  'é',
  '🚀',
  '\ufeff',
  '\u0000',
];
