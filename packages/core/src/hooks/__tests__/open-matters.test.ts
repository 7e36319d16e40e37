import { describe, expect, it } from 'vitest';
import { buildHandoff } from '../../handoff/document/build-document.js';
import type { Ledger } from '../../handoff/ledger/ledger.js';
import { renderHandoff } from '../../handoff/render/render-handoff.js';
import { openMatters } from '../open-matters.js';
import { asked, ledgerWith, ran, said } from './some-ledger.js';

const openIn = (ledger: Ledger) => openMatters(buildHandoff(ledger), ledger);

describe('the open matters of a conversation', () => {
  it('is nothing where the agent has answered and nothing is left', () => {
    expect(openIn(ledgerWith(asked('Sort them.'), ...ran('npm test', 'ok'), said('Sorted.')))).toBeUndefined();
  });

  it('is nothing where nothing was asked', () => {
    expect(openIn(ledgerWith())).toBeUndefined();
  });

  it('is a request that was never answered', () => {
    const open = openIn(ledgerWith(asked('Sort them.'), said('Sorted.'), asked('Now by weight.')));

    expect(open && renderHandoff(open, { chars: 1_300 })).toContain('Now by weight.');
  });

  it('is also the request before it, where one was sent right after the other', () => {
    const open = openIn(ledgerWith(asked('Sort the widgets by their weight.'), asked('Go on.')));

    const text = open && renderHandoff(open, { chars: 1_300 });
    expect(text).toContain('Sort the widgets by their weight.');
    expect(text).toContain('Go on.');
  });

  it('include an unresolved error with the request that led to it', () => {
    const open = openIn(ledgerWith(asked('Sort them.'), ...ran('npm test', 'failed'), said('It does not work.')));

    const text = open && renderHandoff(open, { chars: 1_300 });
    expect(text).toContain('Sort them.');
    expect(text).toContain('`npm test` failed');
    expect(text).not.toContain('It does not work.');
  });

  it('include unfinished tasks only', () => {
    const tasks = [
      { title: 'Sort the widgets', status: 'completed' as const },
      { title: 'Write the tests', status: 'pending' as const },
    ];
    const open = openIn(ledgerWith(asked('Sort.'), { type: 'tasks.replaced', tasks }, said('Half way.')));

    const text = open && renderHandoff(open, { chars: 1_300 });
    expect(text).toContain('Write the tests');
    expect(text).not.toContain('Sort the widgets');
  });
});
