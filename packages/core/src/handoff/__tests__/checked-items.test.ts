import { expect, it } from 'vitest';
import { buildHandoff } from '../document/build-document.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { renderHandoff } from '../render/render-handoff.js';
import { checkedItems } from '../verify/checked-items.js';
import { shopTranscript } from './transcript.js';

const git = {
  branch: 'fix-totals',
  changes: [{ path: 'src/new.ts', state: 'untracked' as const }],
  moreChanges: 0,
  commits: [],
};
const ledger = ledgerOf(shopTranscript());

it('finds the line of a handoff that carries each item, and its source', () => {
  const text = renderHandoff(buildHandoff(ledger, { git }), { chars: 9_000 });
  const lines = text.split('\n');
  const checked = checkedItems(text, { ledger, git });

  expect(checked.map(({ what }) => what)).toContain('last-request');
  for (const { what, line } of checked) expect({ what, text: lines[line ?? -1] }).not.toEqual({ what });
  const file = checked.find(({ text: said }) => said.includes('src/new.ts'));
  expect(lines[file?.line ?? -1]).toContain('src/new.ts');
  expect(file?.sources).toEqual(['git status']);
  expect(checked.find(({ what }) => what === 'last-request')?.sources.join()).toMatch(/^line \d+ of the transcript/);
});

it('names every item as missing in an empty handoff', () => {
  const checked = checkedItems('# Handoff', { ledger, git });
  expect(checked.every(({ line }) => line === undefined)).toBe(true);
  expect(checked).not.toEqual([]);
});
