import { checkRequirements, KNOWN_FAILURES, REQUIREMENTS } from '@devs/core/requirements';
import { describe, expect, it } from 'vitest';
import { listCitations } from '../lib/source/citations.mjs';
import { readSources } from '../lib/source/sources.mjs';

describe('the requirements', () => {
  it('are all cited by a test, and every citation is of a known one', () => {
    const cited = readSources(['packages', 'scripts'])
      .filter(({ path }) => path.endsWith('.test.ts'))
      .flatMap(({ path, text }) => listCitations(path, text));

    expect(checkRequirements({ ...REQUIREMENTS, ...KNOWN_FAILURES }, cited)).toEqual({ unproven: [], unknown: [] });
  });
});

describe('checkRequirements', () => {
  it('reports unproven and unknown requirements', () => {
    expect(checkRequirements({ P1: 'one', P2: 'two' }, ['P1', 'P3', 'P3'])).toEqual({
      unproven: ['P2'],
      unknown: ['P3'],
    });
  });
});

describe('a citation', () => {
  it.each([
    { text: "it('[P1] stays whole', () => {});", cited: ['P1'] },
    { text: "describe('[3_MCP-TAS-089] [TAS-035] re-injection', () => {});", cited: ['3_MCP-TAS-089', 'TAS-035'] },
    { text: "it.each([1, 2])('[P2] cut %s', () => {});", cited: ['P2'] },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text, as a test file has it
    { text: 'it.each`a\n${1}`("[P2] cut $a", () => {});', cited: ['P2'] },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
    { text: 'test(`[P3] joins ${kind}`, () => {});', cited: ['P3'] },
    { text: "it.skip('[P4] later', () => {});", cited: [] },
    { text: "it.todo('[P4] later');", cited: [] },
    { text: "// it('[P5] in a comment')\nconst text = '[P5]';", cited: [] },
    { text: "it('writes [CONTEXT REFRESH] and [0]', () => {});", cited: [] },
  ])('$cited is read from $text', ({ text, cited }) => {
    expect(listCitations('a.test.ts', text)).toEqual(cited);
  });
});
