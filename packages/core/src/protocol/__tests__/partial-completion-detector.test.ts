import { describe, expect, it } from 'vitest';
import { detect } from '../partial-completion-detector.js';

const complete = { partial: false };
const nothing = { partial: true, lastValidToken: '', resumablePrefix: '', cutIn: 'start' };
const cut = (lastValidToken: string, cutIn: string, resumablePrefix = lastValidToken) => ({
  partial: true,
  lastValidToken,
  resumablePrefix,
  cutIn,
});

describe('detect', () => {
  it.each([
    ['an empty answer', '', nothing],
    ['blank space', ' \n\t ', nothing],
    ['a byte-order mark alone', '\ufeff', nothing],
    ['an opening fence alone', '```json\n', nothing],
    ['a fence that is still being opened', '``', nothing],
    ['a whole object', '{"a":1}', complete],
    ['white space after the end', '{"a":1} \n ', complete],
    ['a byte-order mark before a whole object', '\ufeff{"a":1}', complete],
    ['a byte-order mark before a cut object', '\ufeff{"a":1', cut('{"a":', 'number')],
    ['white space before a cut object', '  {"a":1', cut('  {"a":', 'number')],
    ['a no-break space before a cut object', '\u00a0 {"a":[1,', cut(' {"a":[1,', 'structure')],
    ['a no-break space before a cut array', '\u00a0[1,', cut('[1,', 'structure')],
    ['a fenced object', '```json\n{"a":1}\n```', complete],
    ['a fenced object that was cut off', '```json\n{"a":1,', cut('{"a":1,', 'structure')],
    ['a fenced object on one line', '```json {"a":1} ```', complete],
    ['an object in a longer fence', '````\n{"a":1}\n````', complete],
    ['a cut object in a fence of one line', '```json {"a":', cut('{"a":', 'structure')],
    ['prose before the JSON', 'Here it is:\n{"a":1}', complete],
    ['prose before JSON that was cut off', 'Here it is: {"a":[1,', cut('{"a":[1,', 'structure')],
    ['prose and a fence', 'Here:\n\n```\n{"a":"b', cut('{"a":', 'string', '{"a":"b')],
    ['braces and brackets in prose', 'Set {x} to [1] and {} then {"a":', cut('{"a":', 'structure')],
    ['a brace at the very end of prose', 'The answer: {', cut('{', 'structure')],
    ['no JSON at all', 'I cannot do that.', complete],
    ['a word that begins like a literal', 'nothing to do', complete],
    ['a sentence that begins with a number', '3 files were changed: {"a":', cut('{"a":', 'structure')],
    ['a sentence that begins with a quotation', '"Sure", she said: {"a":', cut('{"a":', 'structure')],
    ['several values', '{"a":1}{"b":', complete],
    ['garbage after the end', '{"a":1} and more', complete],
    ['a value that breaks the grammar', '{"a":1,}', complete],
    ['a value that broke the grammar before it was cut off', '{"a":1,,"b":{"c":', complete],
    ['single quotes', '{\'a\': 1, {"b":', complete],
    ['a raw line break in a string', '{"a":"x\ny', complete],
    ['a line break behind a string that was cut off', '{"a":"x\r\n', cut('{"a":', 'string', '{"a":"x')],
    ['a line break behind a grammar error', '{"a":1,}\n', complete],
    ['a top-level number', '12', complete],
    ['a top-level literal', 'true', complete],
    ['a top-level string', '"done"', complete],
    ['an unfinished top-level literal', 'tru', cut('', 'literal')],
    ['an unfinished top-level string', '"abc', cut('', 'string', '"abc')],
    ['an unfinished top-level number', '-', cut('', 'number')],
  ])('has an answer for %s', (_kind, text, expected) => {
    expect(detect(text)).toEqual(expected);
  });

  it.each([
    ['after a brace', '{', cut('{', 'structure')],
    ['inside a key', '{"a":1,"be', cut('{"a":1,', 'key', '{"a":1,"be')],
    ['behind a key', '{"a"', cut('{"a"', 'structure')],
    ['behind a colon', '{"a" : ', cut('{"a" :', 'structure')],
    ['inside a string', '{"a":"hello wor', cut('{"a":', 'string', '{"a":"hello wor')],
    ['behind a string', '["x"', cut('["x"', 'structure')],
    ['inside a number', '[1,2', cut('[1,', 'number')],
    ['behind a number that something ended', '[1,2 ', cut('[1,2', 'structure')],
    ['behind a minus sign', '[-', cut('[', 'number')],
    ['behind a point', '[1.', cut('[', 'number')],
    ['behind an e', '[1e', cut('[', 'number')],
    ['behind the sign of an exponent', '[1e-', cut('[', 'number')],
    ['inside a literal', '[nul', cut('[', 'literal')],
    ['behind a literal', '[null', cut('[null', 'structure')],
    ['before the last brace', '{"a":{}', cut('{"a":{}', 'structure')],
  ])('[P4] finds the last complete token of an answer that was cut off %s', (_where, text, expected) => {
    expect(detect(text)).toEqual(expected);
  });

  it.each([
    ['a backslash', String.raw`["ab\ `.trimEnd(), '["ab'],
    ['a begun Unicode escape', String.raw`["ab\u12`, '["ab'],
    ['the first half of an escaped pair', String.raw`["ab\ud83d`, '["ab'],
    ['a pair in the middle of its second escape', String.raw`["ab\ud83d\ude`, '["ab'],
    ['the first half of a pair', '["ab\ud83d', '["ab'],
    ['the first half of a pair before a begun escape', '["ab\ud83d\\ud', '["ab'],
    ['a whole escape', String.raw`["ab\n`, String.raw`["ab\n`],
    ['a whole escaped pair', String.raw`["ab\ud83d\ude80`, String.raw`["ab\ud83d\ude80`],
    ['a whole pair', '["ab🚀', '["ab🚀'],
    ['two backslashes', String.raw`["ab\\ `.trimEnd(), String.raw`["ab\\ `.trimEnd()],
  ])('[P4] never resumes across %s', (_what, text, resumablePrefix) => {
    expect(detect(text)).toMatchObject({ partial: true, lastValidToken: '[', resumablePrefix });
  });

  it.each(['max_tokens', 'length', 'MAX_TOKENS', 'model_context_window_exceeded'])(
    '[P2] takes what touches the end for unfinished when the stop reason is %s',
    (stopReason) => {
      expect(detect('12', { stopReason })).toEqual(cut('', 'number'));
      expect(detect('true', { stopReason })).toEqual(cut('', 'literal'));
      expect(detect('[1,true', { stopReason })).toEqual(cut('[1,', 'literal'));
      expect(detect('[1,2],', { stopReason })).toEqual(complete);
      expect(detect('[[1],[2]', { stopReason })).toEqual(cut('[[1],[2]', 'structure'));
      expect(detect('Let me think about', { stopReason })).toEqual(nothing);
      expect(detect('{"a":true}', { stopReason })).toEqual(complete);
      expect(detect('true ', { stopReason })).toEqual(complete);
    },
  );

  it.each(['end_turn', 'stop', 'tool_use', undefined])(
    'takes the text as it is when the stop reason is %s',
    (stopReason) => {
      expect(detect('12', { stopReason })).toEqual(complete);
      expect(detect('[true', { stopReason })).toEqual(cut('[true', 'structure'));
      expect(detect('[[1],[2]', { stopReason })).toEqual(cut('[[1],[2]', 'structure'));
    },
  );
});
