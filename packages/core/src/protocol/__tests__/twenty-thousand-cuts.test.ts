import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { randomEnvelope } from '../../testing/tool-calls.js';
import { compact } from '../json/compact.js';
import { joinCompletion } from '../json/join-completion.js';
import { parseSaopEnvelope } from '../parse-saop-envelope.js';
import { detect } from '../partial-completion-detector.js';
import { resumePoint } from '../resume-point.js';

/** How a model continues; `shown` is the length of the prefix that it was shown. */
type Manner = (document: string, shown: number, random: Random) => { text: string; stopReason?: string };

const fenced = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
const overlapping = (document: string, shown: number, length: number) => document.slice(Math.max(0, shown - length));

const MANNERS: Readonly<Record<string, { readonly atLeast: number; readonly answer: Manner }>> = {
  'continued exactly': { atLeast: 0.99, answer: (document, shown) => ({ text: document.slice(shown) }) },
  'repeated 1 to 7 characters': {
    atLeast: 0.95,
    answer: (document, shown, random) => ({ text: overlapping(document, shown, 1 + random.below(7)) }),
  },
  'repeated 8 to 80 characters': {
    atLeast: 0.95,
    answer: (document, shown, random) => ({ text: overlapping(document, shown, 8 + random.below(73)) }),
  },
  restarted: { atLeast: 0.99, answer: (document) => ({ text: document }) },
  fenced: { atLeast: 0.99, answer: (document, shown) => ({ text: fenced(document.slice(shown)) }) },
  'restarted in a fence, with prose': {
    atLeast: 0.99,
    answer: (document) => ({ text: `Here is the complete JSON:\n\n${fenced(document)}\n` }),
  },
  'continued, and cut off again': {
    atLeast: 0.9,
    answer: (document, shown, random) => ({
      text: document.slice(shown, shown + 1 + random.below(document.length - shown)),
      stopReason: 'max_tokens',
    }),
  },
  'repeated, and cut off again': {
    atLeast: 0.9,
    answer: (document, shown, random) => {
      const text = overlapping(document, shown, 8 + random.below(73));
      return { text: text.slice(0, 1 + random.below(text.length)), stopReason: 'length' };
    },
  },
};

describe('twenty thousand cuts of realistic tool calls', () => {
  it('[P1] [P3] are joined as the model meant them, or refused: no value is wrong or shortened', async ({
    annotate,
  }) => {
    const cuts = rounds(20_000);
    const random = createRandom(seed());
    const tally = new Map(Object.keys(MANNERS).map((name) => [name, { joined: 0, wrong: 0 }]));
    for (let round = 0; round < cuts; round++) {
      const document = JSON.stringify(randomEnvelope(random), null, random.chance(0.3) ? 2 : 0);
      const detection = detect(document.slice(0, 1 + random.below(document.length - 1)));
      if (!detection.partial) throw new Error('a proper prefix must be partial');
      const { prefix, received } = resumePoint(detection);
      for (const [name, { answer }] of Object.entries(MANNERS)) {
        const { text, stopReason } = answer(document, prefix.length, random);
        const result = joinCompletion(prefix, text, { received, stopReason, fits: isEnvelope });
        const row = tally.get(name);
        if (row === undefined || !result.joined) continue;
        row.joined++;
        const whole = compact(document);
        const right = result.complete ? compact(result.text) === whole : whole.startsWith(compact(result.text));
        if (!right) row.wrong++;
      }
    }
    await annotate(renderTable(tally, cuts));
    for (const [name, { atLeast }] of Object.entries(MANNERS)) {
      const row = tally.get(name);
      expect(row?.wrong, `${name}: wrong values`).toBe(0);
      expect((row?.joined ?? 0) / cuts, `${name}: joined`).toBeGreaterThanOrEqual(atLeast);
    }
  }, 120_000);
});

const isEnvelope = (value: unknown) => parseSaopEnvelope(value).valid;

function renderTable(tally: ReadonlyMap<string, { joined: number; wrong: number }>, cuts: number): string {
  const rows = [...tally].map(([name, { joined, wrong }]) =>
    [
      name.padEnd(34),
      `${((100 * joined) / cuts).toFixed(2)} %`.padStart(9),
      String(cuts - joined).padStart(9),
      String(wrong).padStart(6),
    ].join(''),
  );
  const head = [
    'how the model went on'.padEnd(34),
    'joined'.padStart(9),
    'refused'.padStart(9),
    'wrong'.padStart(6),
  ].join('');
  return [`${cuts} random cuts, seed ${seed()}`, head, ...rows].join('\n');
}
