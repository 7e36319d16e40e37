import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../../testing/rounds.js';
import { estimateTokens } from '../../../tokens/estimate-tokens.js';
import { createFixedSummaryProvider } from '../fixed-summary-provider.js';
import { createMarkdownSummaryProvider } from '../markdown-summary-provider.js';
import { summarizeMarkdown } from '../summarize-markdown.js';

const PLENTY = 10_000;

describe('a document with a marked part', () => {
  it.each([
    {
      kind: 'up to its end mark',
      markdown: '# Plan\nIntro.\n\n<!-- summary -->\nOne.\n\nTwo.\n<!-- /summary -->\nThree.',
      summary: 'One.\n\nTwo.',
    },
    { kind: 'up to the next heading', markdown: '# Plan\n<!-- summary -->\nOne.\n## Next\nTwo.', summary: 'One.' },
    { kind: 'up to the end', markdown: '<!--summary-->\nOne.', summary: 'One.' },
    { kind: 'whatever the case of the mark', markdown: '  <!-- SUMMARY -->\nOne.', summary: 'One.' },
    {
      kind: 'rather than the section headed so',
      markdown: '# Summary\nNot this.\n# Rest\n<!-- summary -->\nThis.',
      summary: 'This.',
    },
  ])('is summarized by it, $kind', ({ markdown, summary }) => {
    expect(summarizeMarkdown(markdown, PLENTY)).toBe(summary);
  });

  it('is summarized by the section after the mark', () => {
    expect(summarizeMarkdown('# T\nIntro.\n<!-- summary -->\n## Plan\nText.\n\nMore.\n## B', PLENTY)).toBe(
      '## Plan\nText.\n\nMore.',
    );
  });

  it('is summarized otherwise where the marked part is empty, or the mark is an example in code', () => {
    expect(summarizeMarkdown('<!-- summary -->\n<!-- /summary -->\n# Plan\nText.', PLENTY)).toBe('# Plan\nText.');
    expect(summarizeMarkdown('# A\nOne.\n```\n<!-- summary -->\nx\n```', PLENTY)).toBe('# A\nOne.');
  });
});

describe('a document with a section headed Summary', () => {
  it.each([
    {
      kind: 'up to the next heading of its rank',
      markdown: '# T\nIntro.\n## Summary\nOne.\n\nTwo.\n## Other\nThree.',
      summary: 'One.\n\nTwo.',
    },
    {
      kind: 'with its sub-headings',
      markdown: '## Summary\nOne.\n### Goals\nTwo.\n#### More\nThree.\n# Other\nFour.',
      summary: 'One.\n\n### Goals\nTwo.\n\n#### More\nThree.',
    },
    { kind: 'to the end', markdown: '# Summary #\n\nOne.\n\n', summary: 'One.' },
    { kind: 'when it is numbered', markdown: '# T\n## 1.2. Summary\nOne.', summary: 'One.' },
    { kind: 'as an executive summary', markdown: '# T\n## EXECUTIVE SUMMARY\nOne.', summary: 'One.' },
    {
      kind: 'without taking a comment in a code block for a heading',
      markdown: '## Summary\n```sh\n# not a heading\nrun\n```\nOne.\n## B\n',
      summary: '```sh\n# not a heading\nrun\n```\nOne.',
    },
  ])('is summarized by it, $kind', ({ markdown, summary }) => {
    expect(summarizeMarkdown(markdown, PLENTY)).toBe(summary);
  });

  it('is summarized otherwise where the section is empty', () => {
    expect(summarizeMarkdown('# T\nIntro.\n## Summary\n## B\nText.', PLENTY)).toBe(
      '# T\nIntro.\n\n## Summary\n\n## B\nText.',
    );
  });

  it('does not match a heading that merely contains the word', () => {
    expect(summarizeMarkdown('# Summary of changes\nOne.\n\nTwo.', PLENTY)).toBe('# Summary of changes\nOne.');
  });
});

describe('any other document', () => {
  it.each([
    {
      kind: 'the first paragraph below each heading',
      markdown: '# A\n\nOne\nand a half.\n\nTwo.\n\n## B\nThree.\n\nFour.',
      summary: '# A\nOne\nand a half.\n\n## B\nThree.',
    },
    {
      kind: 'the paragraph before the first heading',
      markdown: 'Zero.\n\nSkipped.\n\n# A\nOne.',
      summary: 'Zero.\n\n# A\nOne.',
    },
    { kind: 'a heading without text', markdown: '# A\n## B\nOne.', summary: '# A\n\n## B\nOne.' },
    { kind: 'text without any heading', markdown: 'One.\n\nTwo.', summary: 'One.' },
    { kind: 'no comments', markdown: '# A\n<!-- owner: me -->\nOne.', summary: '# A\nOne.' },
    {
      kind: 'no headings out of code',
      markdown: '# A\n```sh\n# not a heading\n```\n\n# B\nOne.',
      summary: '# A\n\n# B\nOne.',
    },
    {
      kind: 'no headings out of code in tildes around back-ticks',
      markdown: '# A\n~~~~\n```\n# no\n```\n~~~~\n\n# B',
      summary: '# A\n\n# B',
    },
    { kind: 'words rather than code', markdown: '# A\n```\nx\n\ny\n```\nOne.', summary: '# A\nOne.' },
    { kind: 'no front matter', markdown: '---\ntitle: x\n---\n# A\nOne.', summary: '# A\nOne.' },
    { kind: 'no hash tags', markdown: '#tag is no heading\n\n# A', summary: '#tag is no heading\n\n# A' },
    { kind: 'nothing of nothing', markdown: ' \n\n', summary: '' },
  ])('is summarized by $kind', ({ markdown, summary }) => {
    expect(summarizeMarkdown(markdown, PLENTY)).toBe(summary);
  });
});

describe('a summary', () => {
  it('is the same whether lines end in CRLF or in LF', () => {
    const markdown = '# A\nOne.\n\n## Summary\nTwo.\n\nThree.\n### Deep\n```\n# no\n```\n';

    expect(summarizeMarkdown(markdown.replaceAll('\n', '\r\n'), PLENTY)).toBe(summarizeMarkdown(markdown, PLENTY));
  });

  it('says so where it was shortened, and only there', () => {
    const markdown = `## Summary\n${'A sentence of words. '.repeat(100)}`;

    expect(summarizeMarkdown(markdown, 40)).toMatch(/^A sentence of words\.[\s\S]*\.\n\[… shortened\]$/);
    expect(summarizeMarkdown(markdown, PLENTY)).not.toContain('shortened');
  });

  it('never costs more than its budget, and is the same each time', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('# A', '## Summary', '<!-- summary -->', '```', '', 'Words, and more words.', '🚀🚀🚀🚀🚀🚀'),
    );
    const markdown = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));

    fc.assert(
      fc.property(markdown, fc.integer({ min: 1, max: 60 }), (text, budgetTokens) => {
        const summary = summarizeMarkdown(text, budgetTokens);
        expect(estimateTokens(summary)).toBeLessThanOrEqual(budgetTokens);
        expect(summarizeMarkdown(text, budgetTokens)).toBe(summary);
      }),
      { seed: seed(), numRuns: rounds(200) },
    );
  });
});

describe('providers', () => {
  it('give fixed texts as they are', async () => {
    const summaries = { tasSummary: 'Use ESM.', prdSummary: 'Users resume work.' };

    expect(await createFixedSummaryProvider(summaries).getSummary()).toEqual(summaries);
  });

  it('[3_MCP-TAS-089] take summaries from the text of the two documents', async () => {
    const provider = createMarkdownSummaryProvider({
      tas: '# TAS\n## Summary\nUse ESM.',
      prd: '# PRD\nUsers resume work.',
    });

    expect(await provider.getSummary()).toEqual({ tasSummary: 'Use ESM.', prdSummary: '# PRD\nUsers resume work.' });
  });

  it('keep each summary within 600 tokens by default', async () => {
    const long = `# A\n${'Many words here. '.repeat(1_000)}`;
    const cost = async (budgetTokens?: number) => {
      const options = { tas: long, prd: long, ...(budgetTokens !== undefined && { budgetTokens }) };
      const { tasSummary, prdSummary } = await createMarkdownSummaryProvider(options).getSummary();
      return [estimateTokens(tasSummary), estimateTokens(prdSummary)];
    };

    for (const tokens of await cost()) expect([tokens > 550, tokens <= 600]).toEqual([true, true]);
    for (const tokens of await cost(50)) expect([tokens > 30, tokens <= 50]).toEqual([true, true]);
  });

  it('protect the next caller from changes by a caller', async () => {
    const provider = createMarkdownSummaryProvider({ tas: 'T', prd: 'P' });

    (await provider.getSummary()).tasSummary = 'changed';

    expect(await provider.getSummary()).toEqual({ tasSummary: 'T', prdSummary: 'P' });
  });

  it.each([0, -5, Number.NaN])('refuse a budget of %s tokens', (budgetTokens) => {
    expect(() => createMarkdownSummaryProvider({ tas: '', prd: '', budgetTokens })).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        message: `createMarkdownSummaryProvider: budgetTokens must be a number of tokens above 0; received ${budgetTokens}`,
      }),
    );
  });
});
