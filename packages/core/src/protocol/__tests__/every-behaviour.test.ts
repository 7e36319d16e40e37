import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { compact } from '../json/compact.js';
import { detect } from '../partial-completion-detector.js';
import { PartialCompletionResumeHandler, ResumeFailedError } from '../partial-completion-resume-handler.js';
import { resumePoint } from '../resume-point.js';
import { BEHAVIOURS, type Behaviour } from './behaviours/model-behaviours.js';
import { placeOf } from './behaviours/place.js';
import { randomDocument } from './behaviours/random-document.js';

interface Tally {
  turns: number;
  atOnce: number;
  right: number;
  wrong: number;
}

describe('a cut-off answer, for any continuation of the model', () => {
  it('[P6] [P7] becomes what the model meant, or is refused: no value is wrong', async ({ annotate }) => {
    const turns = rounds(6, 1_250);
    const examples: string[] = [];
    const tallies = new Map<string, Tally>();
    for (const [name, behaviour] of Object.entries(BEHAVIOURS)) {
      const random = createRandom(seed());
      const tally: Tally = { turns: 0, atOnce: 0, right: 0, wrong: 0 };
      tallies.set(name, tally);
      for (let attempt = 0; tally.turns < turns && attempt < turns * 60; attempt++) {
        const turn = await takeTurn(behaviour, random);
        if (!turn.behaved) continue;
        tally.turns++;
        if (turn.outcome === 'wrong' && examples.length < 5) examples.push(`${name}: ${turn.calls.join('\n  ')}`);
        if (turn.outcome === 'right') tally.right++;
        if (turn.outcome === 'right' && turn.calls.length === 1) tally.atOnce++;
        if (turn.outcome === 'wrong') tally.wrong++;
      }
    }
    await annotate(renderTable(tallies));
    const wrong = [...tallies].filter(([, tally]) => tally.wrong > 0).map(([name]) => name);
    expect(wrong, examples.join('\n\n')).toEqual([]);
  }, 0);
});

interface Turn {
  /** Whether the behaviour was possible at least once. */
  readonly behaved: boolean;
  readonly outcome: 'right' | 'refused' | 'wrong';
  readonly calls: readonly string[];
}

/** How often a model does it before it continues exactly. */
const TIMES = 2;

async function takeTurn(behaviour: Behaviour, random: Random): Promise<Turn> {
  const original = randomDocument(random);
  const arrived = 1 + random.below(original.length - 1);
  const cut = detect(original.slice(0, arrived), { stopReason: 'max_tokens' });
  if (!cut.partial) throw new Error('a proper prefix must be partial');
  let document = original;
  const told = [original];
  let misread = false;
  let behaved = 0;
  const calls: string[] = [];
  const complete = async (prompt: string) => {
    const prefix = prompt.slice(prompt.indexOf(ASKED) + ASKED.length);
    const known = told.map((text) => continuing(prefix, text)).find((text) => text !== undefined);
    if (known === undefined) {
      misread = true;
      throw new Error('the prefix holds what the model never said');
    }
    document = known;
    const place = placeOf(document, prefix.length, arrived);
    const said = calls.length < TIMES ? behaviour(place, random) : undefined;
    if (said !== undefined) behaved++;
    const answer = said ?? { text: document.slice(prefix.length), stopReason: 'end_turn' };
    calls.push(JSON.stringify([prefix.slice(-300), answer.text.slice(0, 300), answer.stopReason]));
    told.push(document, said?.document ?? document);
    return answer;
  };
  const handler = new PartialCompletionResumeHandler({ llmClient: { complete }, logger: { log: () => undefined } });
  const { prefix, received } = resumePoint(cut, original.slice(0, arrived));
  if (prefix === '') return { behaved: false, outcome: 'refused', calls };
  const outcome = await handler
    .resume(prefix, { threadId: 't', taskId: 't', agentRole: 'coder', turnIndex: 1 }, { received })
    .then((envelope) => (isDeepStrictEqual(envelope, JSON.parse(original)) ? 'right' : 'wrong'))
    .catch((error: unknown) => {
      if (!(error instanceof ResumeFailedError)) throw error;
      return misread ? 'wrong' : 'refused';
    });
  return { behaved: behaved > 0, outcome, calls };
}

const ASKED = 'JSON so far:\n';

/** The document with this beginning, in the beginning's layout; `undefined` for another document. */
function continuing(prefix: string, document: string): string | undefined {
  if (document.startsWith(prefix)) return document;
  const said = compact(prefix);
  if (!compact(document).startsWith(said)) return undefined;
  let end = Math.min(said.length, document.length);
  while (compact(document.slice(0, end)).length < said.length)
    end += said.length - compact(document.slice(0, end)).length;
  return prefix + document.slice(end);
}

function renderTable(tallies: ReadonlyMap<string, Tally>): string {
  const rows = [...tallies].map(([name, { turns, atOnce, right, wrong }]) => {
    const percent = (count: number) => (turns === 0 ? '-' : `${((100 * count) / turns).toFixed(1)} %`).padStart(9);
    const refused = turns - right - wrong;
    return `${name.padEnd(52)}${String(turns).padStart(7)}${percent(atOnce)}${percent(right)}${percent(refused)}${String(wrong).padStart(7)}`;
  });
  const head = `${'how the model goes on'.padEnd(52)}${'turns'.padStart(7)}${'at once'.padStart(9)}${'right'.padStart(9)}${'refused'.padStart(9)}${'wrong'.padStart(7)}`;
  return [`seed ${seed()}`, head, ...rows].join('\n');
}
