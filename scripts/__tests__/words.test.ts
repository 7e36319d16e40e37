import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repoRoot } from '../lib/paths.mjs';
import { listPages } from '../lib/source/pages.mjs';
import { readSources } from '../lib/source/sources.mjs';
import { avoidedInPage, avoidedInSource, findAvoidedWords } from '../lib/source/words.mjs';

describe('plain words', () => {
  it('are used in comments, messages and test titles', () => {
    const sources = readSources();
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.flatMap(avoidedInSource)).toEqual([]);
  });

  it('are used in the documentation', () => {
    const pages = listPages().map((path) => ({ path: relative(repoRoot, path), text: readFileSync(path, 'utf8') }));
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.flatMap(avoidedInPage)).toEqual([]);
  });
});

describe('findAvoidedWords', () => {
  it.each([
    { text: 'Takes the run that is there, or\none that is new.', words: ['that is there', 'one that'] },
    { text: 'Whoever reads it may go on.', words: ['whoever', 'go on'] },
    { text: 'The user and his files.', words: ['his'] },
    { text: 'Types “go on”, `nobody` and "somebody" verbatim.', words: [] },
    { text: 'This history lists the heads of both branches.', words: [] },
  ])('finds $words in $text', ({ text, words }) => {
    expect(findAvoidedWords(text)).toEqual(words);
  });
});

describe('avoidedInSource', () => {
  it('reads comments and titles, and no other text', () => {
    const text = "// a lease of\n// somebody else\nit('looks after a run', () => say('nobody'));";
    expect(avoidedInSource({ path: 'a.test.ts', text })).toEqual([
      'a.test.ts: "somebody", write the noun: a process, the user, no supervisor',
      'a.test.ts: "looks after", write supervise',
    ]);
  });
});
