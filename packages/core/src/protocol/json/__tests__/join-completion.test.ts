import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../../testing/rounds.js';
import { compact } from '../compact.js';
import { joinCompletion } from '../join-completion.js';
import { DOCUMENTS } from './documents.js';

const joined = (text: string, complete = true) => ({ joined: true, text, complete });
const refused = (reason: string) => ({ joined: false, reason });

const documents = fc
  .tuple(
    fc.oneof(
      fc.array(fc.jsonValue(), { maxLength: 6 }),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.array(fc.constantFrom(0, 0, 0, 1, 'x', 'xx', null, [], [0], { a: 0 }), { maxLength: 12 }), // repetitive
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', ' ') }), { maxLength: 4 }),
    ),
    fc.constantFrom(0, 0, 2),
  )
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe('joinCompletion', () => {
  it.each([
    ['an exact continuation', '{"a":[1,', '2]}', joined('{"a":[1,2]}')],
    ['a continuation inside a string', '{"a":"some wo', 'rds"}', joined('{"a":"some words"}')],
    ['a continuation inside an escape', '["a\\', 'n"]', joined('["a\\n"]')],
    ['a repeated tail', '{"path":"src/a.ts","n":', '"src/a.ts","n":1}', joined('{"path":"src/a.ts","n":1}')],
    ['a restart', '{"a":1,"b":', '{"a":1,"b":2}', joined('{"a":1,"b":2}')],
    ['a restart in another layout', '{"a":1,"b":', '{\n  "a": 1,\n  "b": 2\n}', joined('{\n  "a": 1,\n  "b": 2\n}')],
    ['a restart of an open string', '{"a":"on', '{"a":"one two"}', joined('{"a":"one two"}')],
    ['a fence', '{"a":[1,', '```json\n2]}\n```', joined('{"a":[1,2]}')],
    ['a fence around a restart', '{"a":[1,', '```\n{"a":[1,2]}\n```\n', joined('{"a":[1,2]}')],
    ['a closing fence alone', '{"a":[1,', '2]}\n```', joined('{"a":[1,2]}')],
    ['a line of prose', '{"a":[1,', 'Here is the rest:\n2]}', joined('{"a":[1,2]}')],
    ['prose and a fence', '{"a":', 'Sure, here it is.\n\n```json\n"y"}\n```', joined('{"a":"y"}')],
    ['a fence around a restart of an open string', '{"a":"x', '```json\n{"a":"xy"}\n```', joined('{"a":"xy"}')],
    ['a completion that was cut off again', '{"a":[1,', '2,3', joined('{"a":[1,2,3', false)],
    ['an empty completion', '{"a":[1,', '', joined('{"a":[1,', false)],
    ['an empty prefix', '', '{"a":1}', joined('{"a":1}')],
    ['a sentence after the end', '{"a":', '1} Let me know if you need more.', joined('{"a":1}')],
    ['thoughts', '{"a":[1,', '<think>{"a":[1,3]}?</think>\n2]}', joined('{"a":[1,2]}')],
    ['a label', '{"a":[1,', 'Continuing: 2]}', joined('{"a":[1,2]}')],
    ['dots', '{"a":[1,', '... 2]}', joined('{"a":[1,2]}')],
    ['white space that JSON does not know', '{"a":[1,', '\u00a02]}', joined('{"a":[1,2]}')],
    ['a fence and a sentence', '{"a":[1,', '```json\n{"a":[1,2]}\n```\nDone!', joined('{"a":[1,2]}')],
    ['white space around', '{"a":', ' 1 }  \n', joined('{"a": 1 }')],
    ['a prefix that was complete', '{"a":1}', '', joined('{"a":1}')],
  ])('[P3] joins %s', (_kind, prefix, completion, expected) => {
    expect(joinCompletion(prefix, completion)).toEqual(expected);
  });

  it.each([
    ['a run that may be repeated or continued', '[0,0,', '0,0]', 'ambiguous'],
    ['a letter that may be repeated or continued', '["bo', 'ok"]', 'ambiguous'],
    ['thoughts that a string may hold', '{"a":"wor', '<think>It was cut.</think>ds"}', 'ambiguous'],
    ['text with values after the end', '{"a":', '1} Or rather {"a":2}.', 'not-a-continuation'],
    ['text that takes the end back', '{"a":', '1}, "b": 2}', 'not-a-continuation'],
    ['a second value', '{"a":', '1}{"b":2}', 'not-a-continuation'],
    ['a restart that says something else', '{"a":1,"b":', '{"a":2,"b":3}', 'another-document'],
    ['prose that holds values', '{"a":1,', 'b": 2,\n "c": 3}', 'not-a-continuation'],
    [
      'what may be prose or the text of an open string',
      '{"a":"Hello wor',
      'ld this is text.\nmore"}',
      'not-a-continuation',
    ],
    ['what may be a fence or the text of an open string', '{"a":"Use:', '```ts\nconst x = 1"}', 'not-a-continuation'],
    ['an apology', '{"a":1,', 'I am sorry, I cannot continue.', 'not-a-continuation'],
    ['a key that would stand twice', '{"a":1,"b":2,', '"a":3}', 'duplicate-key'],
    ['a prefix that is no JSON', '{a:', '1}', 'prefix-not-json'],
    ['a prefix with white space behind its end that JSON does not know', '{"a":1}\u00a0', '', 'prefix-not-json'],
    ['a prefix with text behind its end', '{"a":1} {', '"b":2}', 'prefix-not-json'],
  ])('refuses %s', (_kind, prefix, completion, reason) => {
    expect(joinCompletion(prefix, completion)).toEqual(refused(reason));
  });

  it('[P7] refuses a completion that says it is whole and leaves the document unfinished', () => {
    expect(joinCompletion('{"a":{"b":', '1}', { stopReason: 'end_turn' })).toEqual(refused('unfinished'));
    expect(joinCompletion('{"a":{"b":', '1}', { stopReason: 'max_tokens' })).toEqual(joined('{"a":{"b":1}', false));
  });

  it.each<[string, string, string, unknown]>([
    ['an element on one line', '{"e":[\n  {"l": 1},\n  {"l": 2},', '{"l":2},{"l":3}]}', [{ l: 1 }, { l: 2 }, { l: 3 }]],
    ['an element that had begun', '{"e":[\n  {"l": 1},\n  {"l":', '{"l":1},{"l":2}]}', [{ l: 1 }, { l: 2 }]],
    ['an array', '{"e":[\n  "npm",\n  "run",\n', '["npm", "run", "x"]}', ['npm', 'run', 'x']],
    ['the elements of an array', '{"e":[\n  "npm",\n  "run",\n', '"npm", "run", "x"]}', ['npm', 'run', 'x']],
    ['an inner object', '{"e":{"CI":"1","A":', '{ "CI": "1", "A": "x y" } }', { CI: '1', A: 'x y' }],
    ['an inner object in another order', '{"e":{"CI":"1","A":', '{"A":"x y","CI":"1"}}', { CI: '1', A: 'x y' }],
    ['the document in another order', '{"v":1,"e":', '{"e":2,"v":1}', 2],
    ['an element in other escapes', '{"e":["caf\u00e9",', '"caf\\u00e9", "x"]}', ['café', 'x']],
  ])(
    '[P6] [P7] joins or refuses %s repeated in another layout, and never takes it for new',
    (_what, prefix, completion, expected) => {
      for (const stopReason of [undefined, 'end_turn']) {
        const result = joinCompletion(prefix, completion, { stopReason });
        if (result.joined) expect(JSON.parse(result.text).e).toEqual(expected);
        else expect(result.reason).toBe('ambiguous');
      }
    },
  );

  it('[P7] never nests a repeated, cut-off object into itself', () => {
    const prefix = '{"e":{"CI":"1","A":';
    for (const completion of ['{"A":"x', '{"CI":"1"', '{ "CI": "1", "A": "x y" } } } }'])
      for (const stopReason of ['max_tokens', 'end_turn'])
        expect(joinCompletion(prefix, completion, { stopReason })).toMatchObject({ joined: false });
  });

  it('lets the shape decide between readings that are both JSON', () => {
    const fits = (value: unknown) => Array.isArray(value) && value.length === 4;
    expect(joinCompletion('[0,0,', '0,0]', { fits })).toEqual(joined('[0,0,0,0]'));
    expect(joinCompletion('[0,0,', '0,0,0]', { fits })).toEqual(joined('[0,0,0,0]'));
    expect(joinCompletion('[0,0,', '0,0]', { fits: () => true })).toEqual(refused('ambiguous'));
  });

  it('lets the received text decide between readings that are both JSON', () => {
    expect(joinCompletion('["bo', 'ok shop"]', { received: 'ok s' })).toEqual(joined('["book shop"]'));
    expect(joinCompletion('["bo', 'book shop"]', { received: 'ok s' })).toEqual(joined('["book shop"]'));
  });

  it('lets the model rewrite an unfinished token, but not lose one', () => {
    expect(joinCompletion('{"a":', '"other words"}', { received: '"some wo' })).toEqual(joined('{"a":"other words"}'));
    expect(joinCompletion('[', '7,8]', { received: '1,2,' })).toEqual(refused('received-lost'));
    expect(joinCompletion('["The first half ', 'Here you go: of it"]', { received: 'of it a' })).toEqual(
      refused('received-lost'),
    );
  });

  it.each([
    ['another number', '12', '3}'],
    ['another literal', 'tru', 'false}'],
  ])('[P4] refuses %s than the unfinished one', (_kind, received, completion) => {
    expect(joinCompletion('{"a":', completion, { received })).toEqual(refused('received-lost'));
  });

  it('refuses a string whose last words are no proof, since they are said before', () => {
    const line = 'const value = read(input);';
    const prefix = `{"a":"${line}\\n${line}\\n`;
    expect(joinCompletion(prefix, `${line}\\nend"}`, { received: 'const value' })).toEqual(refused('ambiguous'));
  });

  it('[P2] believes the provider that a completion was cut off, where the text could be either', () => {
    const nested = ['[0,[', '0,[5]]'] as const; // exactly continued and cut off, or repeated and whole?
    expect(joinCompletion(...nested, { stopReason: 'max_tokens' })).toEqual(refused('ambiguous'));
    expect(joinCompletion(...nested, { stopReason: 'end_turn' })).toEqual(joined('[0,[5]]'));
  });

  it('takes a completion that only repeats for no progress', () => {
    const prefix = '{"a":{"b":1,"c":';
    expect(joinCompletion(prefix, '{"b":1,', { stopReason: 'length' })).toEqual(refused('ambiguous'));
    expect(joinCompletion('{"a":"x","b":"', '"x","', { stopReason: 'length' })).toMatchObject({ joined: false });
  });

  it('[P4] takes a repetition that begins inside an escape and is cut off for no progress', () => {
    const prefix = String.raw`{"a":"say \"hi\", 100","b":"then more text than that","c":`;
    expect(joinCompletion(prefix, '", 100","b', { stopReason: 'length' })).toEqual(refused('ambiguous'));
  });

  it('[P6] never replaces a received row with a repeated row', () => {
    const options = { received: '],[0,0,0],[', stopReason: 'length' };
    const result = joinCompletion('[[0,0,0],[1,7,0],[0,1,0', ' 0],[0,1,0], ', options);
    if (result.joined) expect('[[0,0,0],[1,7,0],[0,1,0],[0,0,0],[').toContain(compact(result.text));
  });

  it('[P3] never nests a rephrased document, cut off or not', () => {
    const prefix = '{"v":"1","say":"one thing","do":';
    for (const stopReason of [undefined, 'max_tokens', 'end_turn']) {
      expect(joinCompletion(prefix, '{"v":"1","say":"another', { stopReason })).toEqual(refused('another-document'));
      expect(joinCompletion(prefix, '{ "v" : "2" }', { stopReason })).toEqual(refused('another-document'));
    }
    expect(joinCompletion(prefix, '{"v":"nested"}}')).toEqual(joined(`${prefix}{"v":"nested"}}`));
  });

  it('takes proof for prose or a fence before the rest of an open string', () => {
    const options = { received: ' of it all' };
    expect(joinCompletion('["The rest', 'Here it is:\n of it all."]', options)).toEqual(
      joined('["The rest of it all."]'),
    );
    expect(joinCompletion('["The rest', '```\n of it all."]\n```', options)).toEqual(joined('["The rest of it all."]'));
  });

  it('takes linear time for any text', () => {
    const slow = `a${' .'.repeat(200_000)}x`;
    expect(joinCompletion('{"a":', slow)).toEqual(refused('not-a-continuation'));
  });

  it('refuses a run too long to count', () => {
    expect(joinCompletion(`["${' '.repeat(2_000)}`, `${' '.repeat(2_000)}"]`)).toEqual(refused('ambiguous'));
  });

  /** At each in `.ci/soak`. */
  const EVERY = rounds(1) > 1 ? 1 : 4;
  it.each(DOCUMENTS)('[P1] gives %s or a refusal at every cut and every overlap, never another value', (document) => {
    for (let cut = seed() % EVERY; cut <= document.length; cut += EVERY) expectDocumentOrRefusal(document, cut);
  });

  it('[P1] gives any document or a refusal, never another value', () => {
    fc.assert(
      fc.property(documents, fc.nat(), (document, at) => expectDocumentOrRefusal(document, at % (document.length + 1))),
      { seed: seed(), numRuns: rounds(100, 30_000) },
    );
  });
});

/** The rest of the document, with every overlap up to a few dozen characters, bare and in a fence. */
function expectDocumentOrRefusal(document: string, cut: number): void {
  const prefix = document.slice(0, cut);
  for (let overlap = 0; overlap <= Math.min(cut, 40); overlap++) {
    const rest = document.slice(cut - overlap);
    for (const completion of [rest, `\`\`\`json\n${rest}\n\`\`\``]) {
      const result = joinCompletion(prefix, completion);
      if (result.joined) expect(compact(result.text), `cut ${cut}, overlap ${overlap}`).toBe(compact(document));
    }
  }
}
