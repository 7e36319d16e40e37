import { describe, expect, it } from 'vitest';
import { parseRecallQuery, toFtsQuery, wordsIn } from '../search-words.js';

describe('the words of a name', () => {
  it.each([
    ['parseJsonValue', ['parse', 'json', 'value']],
    ['HTTPServer2', ['http', 'server2']],
    ['src/main-loop.test.ts', ['src', 'main', 'loop', 'test', 'ts']],
    ['snake_case_name', ['snake', 'case', 'name']],
    ['größeÄndern', ['größe', 'ändern']],
    ['…--…', []],
  ])('of %s', (name, words) => {
    expect(wordsIn(name)).toEqual(words);
  });
});

describe('a query', () => {
  it('asks for words side by side within a term, and for every term', () => {
    expect(toFtsQuery(parseRecallQuery('Store.open src/main.ts'), 'AND')).toBe('"store open"* AND "src main ts"*');
  });

  it.each(['"', '*', 'a" OR "b', 'NEAR(a b)', 'text:secret', '^a', '-a'])(
    'cannot smuggle in an operator: %s',
    (typed) => {
      expect(toFtsQuery(parseRecallQuery(typed), 'AND')).toMatch(/^(?:"[a-z ]+"\*(?: AND )?)*$/);
    },
  );

  it('is empty where nothing in it is a word', () => {
    expect(parseRecallQuery(' -- … ')).toEqual([]);
  });
});
