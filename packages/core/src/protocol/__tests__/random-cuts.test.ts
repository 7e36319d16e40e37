import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { randomEnvelope } from '../../testing/tool-calls.js';
import { compact } from '../json/compact.js';
import { joinCompletion } from '../json/join-completion.js';
import { parseSaopEnvelope } from '../parse-saop-envelope.js';
import { detect } from '../partial-completion-detector.js';
import { earlierResumePoint, type ResumePoint, resumePoint } from '../resume-point.js';

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

describe('thousands of cuts of realistic tool calls', () => {
  it('[P1] [P3] are joined as the model meant them, or refused: no value is wrong or shortened', async ({
    annotate,
  }) => {
    const cuts = rounds(1_000, 1_000_000);
    const random = createRandom(seed());
    const tally = new Map(Object.keys(MANNERS).map((name) => [name, { joined: 0, atOnce: 0, wrong: 0 }]));
    for (let round = 0; round < cuts; round++) {
      const document = JSON.stringify(randomEnvelope(random), null, random.chance(0.3) ? 2 : 0);
      const detection = detect(document.slice(0, 1 + random.below(document.length - 1)));
      if (!detection.partial) throw new Error('a proper prefix must be partial');
      for (const [name, { answer }] of Object.entries(MANNERS)) {
        const row = tally.get(name);
        if (row === undefined) continue;
        const first = complete(document, resumePoint(detection), (shown) => answer(document, shown, random));
        const result =
          !first.joined && first.reason === 'ambiguous'
            ? complete(document, earlierResumePoint(resumePoint(detection)), (shown) => answer(document, shown, random))
            : first;
        row.atOnce += first.joined ? 1 : 0;
        row.joined += result.joined ? 1 : 0;
        row.wrong += (first.joined && !first.right) || (result.joined && !result.right) ? 1 : 0;
      }
    }
    await annotate(renderTable(tally, cuts));
    for (const [name, { atLeast }] of Object.entries(MANNERS)) {
      const row = tally.get(name);
      expect(row?.wrong, `${name}: wrong values`).toBe(0);
      expect((row?.joined ?? 0) / cuts, `${name}: joined`).toBeGreaterThanOrEqual(atLeast);
    }
  }, 0);
});

/** One question and its outcome; `right` when the joined text is the document, or its beginning. */
function complete(document: string, point: ResumePoint, answer: (shown: number) => ReturnType<Manner>) {
  const { text, stopReason } = answer(point.prefix.length);
  const result = joinCompletion(point.prefix, text, { received: point.received, stopReason, fits: isEnvelope });
  if (!result.joined) return result;
  const whole = compact(document);
  const right = result.complete ? compact(result.text) === whole : whole.startsWith(compact(result.text));
  return { ...result, right };
}

const isEnvelope = (value: unknown) => parseSaopEnvelope(value).valid;

/** The handler asks a second time, from further back, where the first completion could be read in several ways. */
function renderTable(
  tally: ReadonlyMap<string, { joined: number; atOnce: number; wrong: number }>,
  cuts: number,
): string {
  const percent = (count: number) => `${((100 * count) / cuts).toFixed(2)} %`.padStart(10);
  const rows = [...tally].map(
    ([name, { joined, atOnce, wrong }]) =>
      `${name.padEnd(34)}${percent(atOnce)}${percent(joined)}${String(cuts - joined).padStart(9)}${String(wrong).padStart(7)}`,
  );
  const head = `${'how the model went on'.padEnd(34)}${'at once'.padStart(10)}${'joined'.padStart(10)}${'refused'.padStart(9)}${'wrong'.padStart(7)}`;
  return [`${cuts} random cuts, seed ${seed()}`, head, ...rows].join('\n');
}
