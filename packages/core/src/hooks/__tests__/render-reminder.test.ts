import { expect, it } from 'vitest';
import { renderReminder } from '../render-reminder.js';

it('is the text of the context refresh, from the documents themselves', async () => {
  const specs = { tas: '# TAS\n\n## Summary\nCents only.\n', prd: '# PRD\n\n## Summary\nOne total.\n' };

  expect(await renderReminder(specs, 600)).toBe(
    '[CONTEXT REFRESH]\n## TAS Summary\nCents only.\n\n## PRD Summary\nOne total.',
  );
});

it('says so where a document is missing, and holds no secret', async () => {
  const tas = '# TAS\n\n## Summary\nLog in with password=hunter2-Zq81xKp0 only.\n';

  const text = await renderReminder({ tas, prd: undefined }, 600);

  expect(text).toContain('## PRD Summary\n(This project has no such document.)');
  expect(text).not.toContain('hunter2-Zq81xKp0');
});
