import { describe, expect, it } from 'vitest';
import { detect } from '../partial-completion-detector.js';
import { earlierResumePoint, nextResumePoint, resumePoint } from '../resume-point.js';

const pointOf = (text: string) => {
  const detection = detect(text);
  if (!detection.partial) throw new Error(`not cut off: ${text}`);
  return resumePoint(detection);
};

describe('resumePoint', () => {
  it.each([
    ['the last complete token', '{"a":[1,{"b":2}', '{"a":[1,{"b":2}', ''],
    ['the last complete token, with the begun string as proof', '{"a":"some wo', '{"a":', '"some wo'],
    ['the end of closing brackets, which say nothing twice', '{"a":[[1]]', '{"a":[[1]]', ''],
    ['the last complete token, also behind equal elements', '{"a":[1,0,0,0,', '{"a":[1,0,0,0,', ''],
  ])('is %s', (_where, text, prefix, received) => {
    expect(pointOf(text)).toEqual({ prefix, received });
  });

  it('is the end of a word a little before the cut inside a long string', () => {
    const text = `{"a":"${'word '.repeat(200)}and then the end of what arr`;
    const { prefix, received } = pointOf(text);
    expect(prefix + received).toBe(text);
    expect(received).toBe(' end of what arr');
  });

  it('never splits an escape or a surrogate pair in a long string without words', () => {
    for (const piece of ['\\n', '\\u00e9', '\\ud83d\\ude80', '🚀', '\\\\']) {
      const text = `{"a":"${piece.repeat(300)}`;
      const { prefix } = pointOf(text);
      expect(prefix.length).toBeLessThan(text.length);
      expect((prefix.length - '{"a":"'.length) % piece.length).toBe(0);
    }
  });
});

describe('nextResumePoint', () => {
  const cutOf = (text: string) => {
    const detection = detect(text);
    if (!detection.partial) throw new Error(`not cut off: ${text}`);
    return detection;
  };

  it('continues inside a string, with proof, if the model has already been shown its beginning', () => {
    const text = '{"a":"one two three four five six seven';
    const point = nextResumePoint(cutOf(text), '{"a":'.length);
    expect(point).toEqual({ prefix: '{"a":"one two three four', received: ' five six seven' });
  });

  it('is none if too little is new inside a string, since chatter would look like the rest', () => {
    expect(nextResumePoint(cutOf('{"a":"x'), '{"a":'.length)).toBeUndefined();
  });

  it('is the very end between tokens', () => {
    expect(nextResumePoint(cutOf('[1,2,'), 3)).toEqual({ prefix: '[1,2,', received: '' });
  });
});

describe('earlierResumePoint', () => {
  it('goes further back to a token and holds the rest back as proof', () => {
    const text = `{"list":["${'a'.repeat(60)}","${'b'.repeat(80)}",`;
    const point = earlierResumePoint({ prefix: text, received: '"c' });
    expect(point).toEqual({ prefix: `{"list":["${'a'.repeat(60)}",`, received: `"${'b'.repeat(80)}","c` });
  });

  it.each([
    ['elements', `{"a":[1,${'0,'.repeat(60)}`, '{"a":[1,'],
    ['rows', `[[7],${'[0,1],'.repeat(20)}`, '[[7],'],
  ])('goes back to before a run of equal %s', (_what, text, prefix) => {
    expect(earlierResumePoint({ prefix: text, received: '' })).toEqual({ prefix, received: text.slice(prefix.length) });
  });

  it('does not go back over a run that is too long to write again', () => {
    const prefix = `[${'0,'.repeat(50_000)}`;
    expect(earlierResumePoint({ prefix, received: '' }).prefix.length).toBeGreaterThan(prefix.length - 5_000);
  });

  it('keeps at least the first bracket', () => {
    expect(earlierResumePoint({ prefix: '[0,1,0,', received: '' })).toEqual({ prefix: '[', received: '0,1,0,' });
  });
});
