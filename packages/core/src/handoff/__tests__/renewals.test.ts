import { describe, expect, it } from 'vitest';
import { GO_ON_PROMPT } from '../../run/own-prompts.js';
import { buildHandoff } from '../document/build-document.js';
import type { HandoffDocument } from '../document/handoff-document.js';
import { startingPrompt } from '../earlier/starting-prompt.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { renderHandoff, tellHandoff } from '../render/render-handoff.js';
import { buildContextRefreshPrompt } from '../seed/context-refresh-prompt.js';
import { asked, edited, eventsOf, ran, read, said, type Told } from './transcript.js';

const GOAL = 'Move the shop to the new tax rules. Never touch the generated files.';
const BUDGET = { chars: 6_000 };

const task = (title: string, status: 'pending' | 'in_progress' | 'completed'): Told => ({
  type: 'task.changed',
  taskId: title,
  title,
  status,
});

const conversation = (id: number, ...facts: readonly Told[]) =>
  ledgerOf(eventsOf({ type: 'conversation.described', conversationId: `c-${id}`, folder: '/shop' }, ...facts));

const first = () =>
  conversation(
    0,
    asked(GOAL),
    said('I take the rules of each country in turn.'),
    task('Write the rules of Austria', 'in_progress'),
    task('Write the rules of Norway', 'pending'),
    task('Read the law', 'completed'),
    asked('Begin with Austria.'),
    ran('npm run tax', 'error: no rate', 'failed'),
    said('I chose a table instead of code because the rates change every year.'),
  );

/** The next agent: it continues, gets a prompt in between, and finishes one thing. */
const next = (id: number, begin: Told) =>
  conversation(
    id,
    begin,
    said(`Round ${id}: I look at the table of rates.`),
    ...read(`/shop/src/rates-${id}.ts`, 'export const RATES = {};').map((fact) => fact),
    edited(`/shop/src/rates-${id}.ts`, `rate${id}`),
    ...(id === 3 ? [task('Write the rules of Austria', 'completed'), ran('npm run tax', 'ok')] : []),
    ...(id === 5 ? [asked('Please always round to cents. Then go on.')] : []),
    ...(id === 7 ? [asked('Take the new rates.')] : []),
    task(`Look at round ${id}`, 'completed'),
  );

const BEGINNINGS: Readonly<Record<string, (document: HandoffDocument) => { begin: Told; earlier?: HandoffDocument }>> =
  {
    'the text as the first prompt': (document) => ({ begin: asked(renderHandoff(document, BUDGET)) }),
    'the prompt of a renewal': (document) => ({
      begin: asked(buildContextRefreshPrompt(renderHandoff(document, BUDGET), { basePrompt: '' })),
    }),
    'its instructions, and what they told as data': (document) => ({
      begin: asked(GO_ON_PROMPT),
      earlier: tellHandoff(document, BUDGET).told,
    }),
    'a file and the document': (document) => ({
      begin: asked(startingPrompt('.devs/handoffs/20260101-000000-c1.md')),
      earlier: document,
    }),
  };

describe.each(Object.entries(BEGINNINGS))('ten renewals in a row, each from %s', (_, beginWith) => {
  const documents: HandoffDocument[] = [buildHandoff(first())];
  for (let round = 1; round <= 10; round++) {
    const { begin, earlier } = beginWith(documents.at(-1) as HandoffDocument);
    documents.push(buildHandoff(next(round, begin), { earlier }));
  }
  const texts = documents.map((document) => renderHandoff(document, BUDGET));
  const last = texts.at(-1) ?? '';

  it('keep the goal and what the user wants always', () => {
    expect(last).toContain(`The work began with:\n\`\`\`\n${GOAL}\n\`\`\``);
    expect(last).toContain('“Never touch the generated files.”');
    expect(last).toContain('- “Please always round to cents.”');
  });

  it('keep the last request until there is another', () => {
    expect(texts[4]).toMatch(/The last request.*:\n```\nBegin with Austria\.\n```/);
    expect(texts[6]).toMatch(/The last request.*:\n```\nPlease always round to cents\. Then go on\.\n```/);
    expect(last).toMatch(/The last request.*:\n```\nTake the new rates\.\n```/);
  });

  it('keep what is open, and leave what is finished', () => {
    expect(texts[2]).toContain('- [ ] Write the rules of Austria');
    expect(texts[2]).toContain('`npm run tax` failed');
    expect(last).toContain('- [ ] Write the rules of Norway');
    expect(last).not.toContain('rules of Austria');
    expect(last).not.toContain('Read the law');
    expect(last).not.toContain('Look at round 9');
    expect(last).not.toContain('`npm run tax` failed');
  });

  it('do not pile up or stand within one another', () => {
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(BUDGET.chars);
      expect(text.match(/# Handoff/g)).toHaveLength(1);
      expect(text.match(/^## What the user wants$/gm)).toHaveLength(1);
    }
    const sizes = documents.map((document) => JSON.stringify(document.sections).length);
    // Nothing is asked after the seventh.
    expect(sizes[10]).toBeLessThan(1.2 * (sizes[8] ?? 0));
    expect(documents.at(-1)?.conversation.renewals).toBe(10);
  });
});

it('takes what a user wrote beside a handoff for a request', () => {
  const handoff = renderHandoff(buildHandoff(first()), BUDGET);
  const text = renderHandoff(buildHandoff(next(1, asked(`Now do Norway.\n\n${handoff}\n\nThanks!`))), BUDGET);
  expect(text).toMatch(/The last request.*:\n```\nNow do Norway\.\s+Thanks!\n```/);
  expect(text).toContain('“Begin with Austria.”');
});

it('does not tell a handoff again that the agent read from its file', () => {
  const handoff = renderHandoff(buildHandoff(first()), BUDGET);
  const ledger = conversation(1, asked('Read the handoff'), read('/shop/.devs/handoffs/x.md', handoff));
  expect(renderHandoff(buildHandoff(ledger), BUDGET).match(/What a conversation leaves/g)).toHaveLength(1);
});
