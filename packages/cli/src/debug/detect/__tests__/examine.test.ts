import { validEnvelope } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { plainPalette } from '../../../screen/palette.js';
import { examine } from '../examine.js';
import { renderExamination } from '../render-examination.js';

const screen = { columns: 80, palette: plainPalette };

describe('examine', () => {
  it('finds a valid envelope in a fence', () => {
    const json = JSON.stringify(validEnvelope());

    expect(examine(`\`\`\`json\n${json}\n\`\`\``)).toEqual({
      characters: json.length + 12,
      verdict: { kind: 'complete', start: 8, end: 8 + json.length, textAfter: false },
      envelope: { valid: true },
      next: { kind: 'carry-out' },
    });
  });

  it('names the field that is wrong', () => {
    const { action: _, ...rest } = validEnvelope();
    const { envelope, next } = examine(JSON.stringify(rest));

    expect(envelope).toMatchObject({ valid: false, problems: [{ path: 'action' }] });
    expect(next).toEqual({ kind: 'correct' });
  });

  it.each([
    { text: '', kind: 'nothing-arrived' },
    { text: 'No idea.', kind: 'no-json' },
    { text: 'No idea', stopReason: 'max_tokens', kind: 'nothing-arrived' },
    { text: '{"a": tru1}', kind: 'malformed' },
    { text: '{"a": "b', kind: 'cut-off' },
    { text: '{}', kind: 'complete' },
  ])('takes $text for $kind', ({ text, stopReason, kind }) => {
    expect(examine(text, stopReason).verdict.kind).toBe(kind);
  });

  it('says where the grammar is broken', () => {
    expect(examine('{\n  "a": tru1}').verdict).toEqual({
      kind: 'malformed',
      at: { offset: 12, line: 2, column: 11 },
      before: '{\n  "a": tru',
      after: '1}',
    });
  });

  it('leaves out the line break that echo puts behind a cut string', () => {
    expect(examine('{"a": "b\n')).toEqual({ ...examine('{"a": "b'), finalLineBreak: 'left-out' });
    expect(examine('{"a": "b\nc').verdict.kind).toBe('malformed');
  });
});

describe('renderExamination', () => {
  it('shows both places where a cut-off text can be taken up', () => {
    expect(renderExamination(examine('{"plan": ["read", "wr\n', 'max_tokens'), screen)).toEqual([
      '  text       21 characters, without the line break at the end, stop reason',
      '             max_tokens',
      '  detect     cut off inside a string',
      '  token      17 characters complete: {"plan": ["read",',
      '  resumable  21 characters usable: {"plan": ["read", "wr',
      '  envelope   not a valid SAOP envelope',
      '             - the JSON ends unfinished at line 1, column 22',
      '  devs       would ask the model for the rest, behind these 17 characters:',
      '             {"plan": ["read",',
    ]);
  });

  it('stays within the columns and obeys nothing in the text', () => {
    const texts = [
      `{"${'k'.repeat(500)}\u001b[2J`,
      `{"a":"${'漢'.repeat(500)}`,
      `{"a":"${'漢'.repeat(90)}\u0007${'字'.repeat(90)}`,
    ];
    const lines = texts.flatMap((text) => renderExamination(examine(text), screen));

    expect(lines.join('\n')).not.toContain('\u001b');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});
