import { describe, expect, it } from 'vitest';
import { readHandoffText } from '../earlier/read-handoff-text.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { prepareHandoff } from '../prepare-handoff.js';
import { smallestBudget, tellHandoff } from '../render/render-handoff.js';
import { verifyHandoff } from '../verify/verify-handoff.js';
import { asked, edited, eventsOf, ran, said } from './transcript.js';

const ledger = ledgerOf(
  eventsOf(
    { type: 'conversation.described', conversationId: 'c-1', folder: '/shop' },
    asked('Move the shop to the new tax rules. Never touch the generated files.'),
    said('I chose a table instead of code because the rates change every year.'),
    edited('/shop/src/rates.ts', 'rate'),
    ran('npm run tax', 'error: no rate', 'failed'),
    { type: 'task.changed', taskId: 't', title: 'Write the rules of Norway', status: 'pending' },
    asked(`Begin with Norway. ${'The table has many rows. '.repeat(200)}`),
  ),
);
const evidence = { ledger, git: undefined };
const itemsOf = (document: ReturnType<typeof readHandoffText>, id: string) =>
  document.sections.find((section) => section.id === id)?.items ?? [];

describe('prepareHandoff', () => {
  it('leaves no gap, with a budget and without', () => {
    for (const budget of [undefined, { chars: 3_000 }]) {
      const { document } = prepareHandoff(evidence, { ...(budget !== undefined && { budget }) });
      expect(verifyHandoff(document, evidence, { chars: smallestBudget(document) })).toEqual([]);
    }
  });

  it('puts what is known besides, and what the queue blocks, in front of their sections', () => {
    const line = { form: 'line', text: 'Task t-7 of the queue', from: [], worth: 50, required: true } as const;
    const { document } = prepareHandoff(evidence, {
      blocked: [{ task_id: 't-9', intent: 'Deploy', reason: 'no key' }] as never,
      known: () => ({ tasks: line }),
    });
    expect(itemsOf(document, 'tasks').map(({ text }) => text)).toEqual([
      'Task t-7 of the queue',
      expect.stringContaining('t-9'),
      expect.stringContaining('Norway'),
    ]);
  });
});

describe('tellHandoff', () => {
  const { document } = prepareHandoff(evidence, {});
  const { text, told } = tellHandoff(document, { chars: 3_000 });

  it('tells as data what the text tells, and no more', () => {
    const read = readHandoffText(text);
    for (const id of ['request', 'tasks', 'changed-files', 'errors']) {
      const entries = itemsOf(told, id).filter(({ form }) => form === 'line' || form === 'quote');
      const texts = entries.map((item) => (item.form === 'line' ? `${item.text}${item.detail ?? ''}` : item.text));
      expect(texts.toSorted()).toEqual(
        itemsOf(read, id)
          .map((item) => item.text)
          .toSorted(),
      );
    }
  });

  it('keeps apart what the text joins', () => {
    const [file] = itemsOf(told, 'changed-files');
    expect(file).toMatchObject({ detail: expect.any(String), from: expect.arrayContaining([expect.anything()]) });
  });
});
