import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../config/settings.js';
import type { ConversationEvent, ConversationFact } from '../../conversation/conversation-event.js';
import { errorFingerprint } from '../error-fingerprint.js';
import { addStuckSign, afterProgress, NO_SIGNS, type StuckSigns, stuckBy } from '../stuck-signs.js';

const SETTINGS = DEFAULT_SETTINGS.stuck;
let calls = 0;

const fact = (event: ConversationFact): ConversationEvent => ({ ...event, from: {} }) as unknown as ConversationEvent;
/** A call and its answer. */
function call(command: string, text: string, outcome: 'ok' | 'failed' | 'refused' = 'failed'): ConversationEvent[] {
  const callId = `c${calls++}`;
  const isEdit = command.startsWith('edit ');
  return [
    fact({
      type: 'tool.called',
      callId,
      tool: isEdit ? 'Edit' : 'Bash',
      input: { command },
      actions: isEdit ? [{ kind: 'change', path: 'a', how: 'edited' }] : [{ kind: 'command', command }],
    }),
    fact({ type: 'tool.answered', callId, text, outcome }),
  ];
}
const signsOf = (...events: ConversationEvent[][]): StuckSigns => events.flat().reduce(addStuckSign, NO_SIGNS);
const kindOf = (signs: StuckSigns, quietMs = 0) => stuckBy(signs, { quietMs }, SETTINGS)?.kind;

describe('an agent is stuck', () => {
  const test = () => call('npm test', 'Error: one thing');
  it('when the same call fails three times in a row', () => {
    expect(kindOf(signsOf(test(), test()))).toBeUndefined();
    expect(kindOf(signsOf(test(), test(), test()))).toBe('same-action');
    expect(stuckBy(signsOf(test(), test(), test()), { quietMs: 0 }, SETTINGS)?.detail).toMatch(/npm test.*3 times/);
  });

  it.each(['STORE_UNAVAILABLE', 'STORE_CONTENDED'])('but not when its tools of devs only say %s', (code) => {
    const text = JSON.stringify({ error: 'Redis at localhost cannot be used: ECONNREFUSED', code }, null, 2);
    const advance = (answer: string): ConversationEvent[] => {
      const callId = `c${calls++}`;
      return [
        fact({ type: 'tool.called', callId, tool: 'mcp__devs__workflow_advance', input: {}, actions: [] }),
        fact({ type: 'tool.answered', callId, text: answer, outcome: 'failed' }),
      ];
    };
    const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
    expect(kindOf(signsOf(...times(20, () => advance(text))))).toBeUndefined();
    const wrapped = JSON.stringify({ content: [{ type: 'text', text }], isError: true });
    expect(kindOf(signsOf(...times(20, () => advance(wrapped))))).toBeUndefined();
    expect(kindOf(signsOf(...times(3, () => advance('INVALID_OUTCOME'))))).toBe('same-action');
    expect(kindOf(signsOf(...times(3, () => call('curl store', text))))).toBe('same-action');
  });

  it.each<[string, ConversationEvent[]]>([
    ['something was changed in between', call('edit a', '', 'ok')],
    ['it went well in between', call('npm test', 'ok', 'ok')],
  ])('but not when %s', (_, between) => {
    const other = (n: number) => call('npm test', `Error: ${'abcdef'[n]} thing is wrong`);
    expect(kindOf(signsOf(other(0), other(1), between, other(2)))).toBeUndefined();
  });

  it('when the same call gives the same answer fifty times in a row, however well it goes', () => {
    const ask = (text: string) => call('status', text, 'ok');
    const many = (count: number) => Array.from({ length: count }, () => ask('step one'));
    expect(kindOf(signsOf(...many(49)))).toBeUndefined();
    expect(kindOf(signsOf(...many(50)))).toBe('no-progress');
    expect(kindOf(signsOf(...many(49), ask('step two'), ...many(49)))).toBeUndefined();
    expect(kindOf(afterProgress(signsOf(...many(50))))).toBeUndefined();
  });

  it('also when it looked at something in between', () => {
    expect(kindOf(signsOf(test(), call('cat a', 'text', 'ok'), test(), test()))).toBe('same-action');
  });

  it('when the same error returns despite different attempts', () => {
    const error = (n: number) => call(`try ${n}`, `at ${n}:${n}\nTypeError: cannot read x of undefined (pid ${n}77)`);
    const signs = signsOf(error(1), call('edit a', '', 'ok'), error(2), call('edit b', '', 'ok'), error(3));
    expect(kindOf(signs)).toBe('same-error');
  });

  it('but not when fewer tests fail each time', () => {
    const runs = [12, 9, 7, 5, 3, 1].map((n) => [
      ...call('npm test', `not ok\nError: ${n} tests failed`),
      ...call('edit a', '', 'ok'),
    ]);
    expect(kindOf(signsOf(...runs))).toBeUndefined();
  });

  it('when nothing has come of its work for long, and that alone where it is all that shows', () => {
    expect(kindOf(NO_SIGNS, SETTINGS.minutes * 60_000)).toBe('no-progress');
    expect(kindOf(NO_SIGNS, SETTINGS.minutes * 60_000 - 1)).toBeUndefined();
  });

  it('no longer after a step has ended, nor because of a refusal by a person', () => {
    expect(kindOf(afterProgress(signsOf(test(), test(), test())))).toBeUndefined();
    const refused = call('rm -rf x', 'no', 'refused');
    expect(kindOf(signsOf(refused, refused, refused))).toBeUndefined();
  });

  it('never where the user has switched it off', () => {
    const off = { ...SETTINGS, enabled: false };
    expect(stuckBy(signsOf(test(), test(), test()), { quietMs: 1e9 }, off)).toBeUndefined();
  });

  it('keeps a bounded memory of a long conversation', () => {
    let signs = NO_SIGNS;
    const letters = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    for (let n = 0; n < 500; n++)
      for (const event of call(`run ${letters(n)}`, `Error: ${letters(n)} is wrong`))
        signs = addStuckSign(signs, event);
    expect(Object.keys(signs.errors).length).toBeLessThanOrEqual(64);
    expect(Object.keys(signs.open)).toEqual([]);
  });
});

describe('the fingerprint of an error', () => {
  it.each([
    ['numbers', 'Error: port 8080 is in use', 'Error: port 9090 is in use', true],
    ['times and addresses', 'error at 12:04:55: 0x7ffe', 'error at 23:59:01: 0x1', true],
    ['commit ids', 'fatal: bad object 0a1b2c3d4e', 'fatal: bad object ffeeddccbb', true],
    ['other lines', 'building…\nError: x is not a function', 'done in 3 s\nError: x is not a function', true],
    ['another error', 'Error: x is not a function', 'Error: y is not a function', false],
    ['how many fail', '12 failing', '9 failing', false],
    [
      'how many fail, said otherwise',
      'Tests: 3 failed, 7 passed, 10 total',
      'Tests: 2 failed, 8 passed, 10 total',
      false,
    ],
    ['how many fail, said in TAP', '# fail 4', '# fail 3', false],
    ['how long it took until it failed', 'test failed in 3.2 s', 'test failed in 3.4 s', true],
    ['no words of trouble, another end', 'a\nb', 'a\nc', false],
  ])('does not depend on %s, as far as it may', (_, one, other, isSame) => {
    expect(errorFingerprint(one).fingerprint === errorFingerprint(other).fingerprint).toBe(isSame);
  });
});

describe('the line of an error for people', () => {
  it.each([
    [
      '{\n  "error": "The loop \\"build\\" failed: no tasks.",\n  "code": "TASKS_NOT_SET"\n}',
      'The loop "build" failed: no tasks.',
    ],
    ['Error: one thing\n  at a.ts:1', 'Error: one thing'],
    ['"error": "cut off', '"error": "cut off'],
  ])('%j is %j', (text, line) => {
    expect(errorFingerprint(text).line).toBe(line);
  });
});
