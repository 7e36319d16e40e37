import { DEFAULT_SETTINGS } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { createKeyFilter, prefixKeyOf } from '../prefix-keys.js';
import { focusIn, isReport } from '../relay-terminal.js';

/** What becomes of chunks of input: the agent's in quotes, ours as a word. */
function read(...chunks: readonly string[]): string[] {
  const keys = createKeyFilter(prefixKeyOf(DEFAULT_SETTINGS));
  return chunks.flatMap((chunk) =>
    keys
      .push(Buffer.from(chunk))
      .map((part) =>
        part.kind === 'input' ? JSON.stringify(part.bytes.toString()) : part.kind === 'command' ? part.command : '…',
      ),
  );
}

describe('the prefix key', () => {
  it.each([
    { typed: ['hello'], becomes: ['"hello"'] },
    { typed: ['a\u001dd'], becomes: ['"a"', '…', 'detach'] },
    { typed: ['\u001d', 'r'], becomes: ['…', 'renew'] },
    { typed: ['\u001d?'], becomes: ['…', 'help'] },
    { typed: ['\u001d\u001d'], becomes: ['…', '"\\u001d"'] },
    { typed: ['\u001d\u001b', 'x'], becomes: ['…', 'unknown', '"x"'] },
    { typed: ['\u001dé', 'é'], becomes: ['…', 'unknown', '"é"'] },
    // As kitty and xterm report keys when a program has asked for it.
    { typed: ['\u001b[93;5u', 'd'], becomes: ['…', 'detach'] },
    { typed: ['\u001b[93;5u\u001b[93;5:3u', '\u001b[100u'], becomes: ['…', 'detach'] },
    { typed: ['\u001b[93;5u\u001b[57441;2u\u001b[47;2u'], becomes: ['…', 'help'] },
    { typed: ['\u001b[27;5;93~', 'r'], becomes: ['…', 'renew'] },
    { typed: ['\u001b[93;5u\u001b[93;5u'], becomes: ['…', '"\\u001b[93;5u"'] },
    // The mouse and answers of the terminal are no keys.
    { typed: ['\u001d\u001b[<0;5;5M', 'd'], becomes: ['…', '"\\u001b[<0;5;5M"', 'detach'] },
    {
      typed: ['\u001b[200~a\u001dd', '\u001db\u001b[201~', '\u001dd'],
      becomes: ['"\\u001b[200~a\\u001dd"', '"\\u001db\\u001b[201~"', '…', 'detach'],
    },
    { typed: ['\u001b]11;rgb:0/0/0\u0007\u001b[A'], becomes: ['"\\u001b]11;rgb:0/0/0\\u0007\\u001b[A"'] },
  ])('in $typed leaves the agent $becomes', ({ typed, becomes }) => {
    expect(read(...typed)).toEqual(becomes);
  });

  it('takes nothing where the user wants none', () => {
    expect(createKeyFilter(undefined).push(Buffer.from('\u001dd'))).toEqual([
      { kind: 'input', bytes: Buffer.from('\u001dd') },
    ]);
  });

  it.each([
    ['ctrl-]', { code: 0x5d, label: 'Ctrl-]' }],
    ['Ctrl-B', { code: 0x62, label: 'Ctrl-B' }],
    ['none', undefined],
  ])('is %s: %j', (prefixKey, key) => {
    expect(prefixKeyOf({ terminals: { prefixKey, title: true } })).toEqual(key);
  });
});

describe('what a terminal says by itself', () => {
  it.each([
    ['\u001b[I', true],
    ['\u001b[<35;10;5M', true],
    ['\u001b[?62;4c', true],
    ['\u001b[12;40R', true],
    ['\u001b[?2026;2$y', true],
    ['\u001b]11;rgb:1e1e/1e1e/1e1e\u001b\\', true],
    ['\u001b[A', false],
    ['y', false],
    ['\u001b[200~x\u001b[201~', false],
    ['\u001b[Iy', false],
  ])('%j is not typed by its user: %s', (text, expected) => {
    expect(isReport(Buffer.from(text))).toBe(expected);
  });

  it('reports whether the user is looking', () => {
    expect([
      focusIn(Buffer.from('\u001b[I')),
      focusIn(Buffer.from('\u001b[I\u001b[O')),
      focusIn(Buffer.from('x')),
    ]).toEqual(['gained', 'lost', undefined]);
  });
});
