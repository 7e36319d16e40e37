import { describe, expect, it } from 'vitest';
import type { ConversationFact } from '../../conversation/conversation-event.js';
import { buildHandoff } from '../document/build-document.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { renderHandoff, smallestBudget } from '../render/render-handoff.js';
import { asked, edited, eventsOf, ran, said, type Told } from './transcript.js';

const documentOf = (...facts: readonly Told[]) => buildHandoff(ledgerOf(eventsOf(...facts)));
const handoffOf = (...facts: readonly Told[]): string => renderHandoff(documentOf(...facts), { chars: 60_000 });

describe('a short request', () => {
  const options = `There are two ways:\n1. Round each line.\n2. Round the total.\n${'More about both. '.repeat(200)}\nWhich one?`;

  it('comes with the end of what the agent had said', () => {
    const text = handoffOf(asked('Fix the rounding.'), said(options), asked('2'), ran('npm test', 'ok'));
    expect(text).toMatch(/The last request, verbatim:\n```\n2\n```/);
    expect(text).toMatch(/What the agent had said just before it.*\n```\n\[…\] [\s\S]*Which one\?\n```/);
  });

  it('comes with it in the smallest document, too', () => {
    const document = documentOf(asked('Fix the rounding.'), said(options), asked('2'), ran('npm test', 'ok'));
    expect(renderHandoff(document, { chars: smallestBudget(document) })).toContain('Which one?\n```');
  });

  it('comes alone where the agent had said nothing since the request before', () => {
    const text = handoffOf(said('Hello.'), asked('Fix the rounding.'), asked('And the tax.'));
    expect(text).not.toMatch(/What the agent had said just before it[^`]*```\nFix/);
  });

  it('comes alone where it is long enough to explain itself', () => {
    const text = handoffOf(asked('Fix it.'), said('Which way?'), asked('Do as I say here. '.repeat(60)), said('ok'));
    expect(text).not.toContain('What the agent had said just before it');
  });
});

describe('a plan', () => {
  const plan = `# Plan: round the totals\n\n${'Change one more file of the cart. '.repeat(60)}\n\n## Last step\nRun the tests.`;
  const proposed = (outcome: 'ok' | 'refused', text: string): Told => [
    { type: 'tool.called', callId: 'p', tool: 'ExitPlanMode', input: {}, actions: [{ kind: 'plan', text }] },
    { type: 'tool.answered', callId: 'p', text: 'User has approved your plan.', outcome },
  ];
  const approved: ConversationFact = { type: 'plan.approved', text: plan };

  it.each<[string, Told]>([
    ['approved by its call', proposed('ok', plan)],
    ['told with the approval', [...(proposed('ok', '') as ConversationFact[]), approved]],
  ])('%s stands whole in a document of the usual length', (_, facts) => {
    const text = renderHandoff(documentOf(asked('Plan it.'), facts, edited('src/cart.ts')), { chars: 12_000 });
    expect(text).toContain(`The plan that the user approved:\n\`\`\`\n${plan}\n\`\`\``);
  });

  it('is told as not approved where the user refused it', () => {
    const text = handoffOf(asked('Plan it.'), proposed('refused', plan));
    expect(text).toMatch(/not approved yet:\n```\n# Plan: round the totals/);
    expect(text).not.toContain('The plan that the user approved');
  });

  it('is carried from one conversation to the next', () => {
    const first = handoffOf(asked('Plan it.'), approved, edited('src/cart.ts'));
    const second = handoffOf(asked(first), edited('src/total.ts'));
    expect(second).toContain(`The plan that the user approved:\n\`\`\`\n${plan}\n\`\`\``);
    expect(handoffOf(asked(second), said('I go on.'))).toContain(plan);
  });

  it('stays known after later requests, as a reminder', () => {
    const document = documentOf(asked('Plan it.'), approved, asked('Now the docs.'), said('ok'), asked('And release.'));
    expect(renderHandoff(document, { chars: smallestBudget(document) })).toContain('# Plan: round the totals');
  });
});
