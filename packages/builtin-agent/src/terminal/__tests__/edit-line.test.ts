import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_LINE, editLine, type LineEvent } from '../edit-line.js';
import { showDraft } from '../terminal-face.js';

const type = (...chunks: string[]) => {
  let editor = EMPTY_LINE;
  const events: LineEvent[] = [];
  for (const chunk of chunks) {
    const edited = editLine(editor, chunk);
    editor = edited.editor;
    events.push(...edited.events);
  }
  return { draft: editor.draft, events };
};
const entered = (text: string) => ({ type: 'entered', text });

describe('typing a line', () => {
  it('is ended by Enter, and edited by the usual keys', () => {
    expect(type('helo\u007flo\r')).toEqual({ draft: '', events: [entered('hello')] });
    expect(type('one two\u0017three').draft).toBe('one three');
    expect(type('gone\u0015here').draft).toBe('here');
    expect(type('a\u001b[Ab\u001b[1;5Dc\u001bOPd').draft).toBe('abcd');
  });

  it('takes pasted lines as one text', () => {
    expect(type('\u001b[200~one\r\ntwo\rthree\u001b[201~', '\r').events).toEqual([entered('one\ntwo\nthree')]);
  });

  it('reports Ctrl-C and Ctrl-D on an empty line, and discards a draft otherwise', () => {
    expect(type('\u0003').events).toEqual([{ type: 'interrupted' }]);
    expect(type('draft\u0003')).toEqual({ draft: '', events: [] });
    expect(type('\u0004').events).toEqual([{ type: 'ended' }]);
    expect(type('x\u0004')).toEqual({ draft: 'x', events: [] });
  });

  it('gives the same result for any split of the keys', () => {
    const key = fc.constantFrom(
      'a',
      'ß',
      '🛒',
      '\r',
      '\u007f',
      '\u001b[200~',
      '\u001b[201~',
      '\u001b[A',
      '\u001bOP',
      '\t',
      '\u0015',
    );
    fc.assert(
      fc.property(fc.array(key), fc.array(fc.nat(80)), (keys, cuts) => {
        const text = keys.join('');
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))]
          .filter((at) => !/^[\udc00-\udfff]/.test(text.slice(at)))
          .sort((a, b) => a - b);
        const chunks = [0, ...places].map((at, index) => text.slice(at, places[index] ?? text.length));
        expect(type(...chunks)).toEqual(type(text));
      }),
    );
  });
});

describe('a draft', () => {
  it('is shown in one row: several lines by their number, a long one by its end', () => {
    expect(showDraft('short', 40)).toBe('short');
    expect(showDraft('a\nb\nc', 40)).toBe('[Pasted text +3 lines]');
    expect(showDraft(`${'x'.repeat(100)}end`, 40)).toBe(`${'x'.repeat(37)}end`);
    expect(showDraft('漢'.repeat(100), 40)).toBe('漢'.repeat(20));
  });
});
