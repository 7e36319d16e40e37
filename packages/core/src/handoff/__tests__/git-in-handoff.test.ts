import { describe, expect, it } from 'vitest';
import { buildHandoff } from '../document/build-document.js';
import { pathFrom, reportedFiles } from '../evidence/changed-files.js';
import type { GitEvidence } from '../evidence/git-evidence.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { renderHandoff } from '../render/render-handoff.js';
import { asked, edited, eventsOf, shopTranscript } from './transcript.js';

const clean: GitEvidence = { branch: 'fix-totals', changes: [], moreChanges: 0, commits: [] };

const render = (git: GitEvidence, events = shopTranscript()) =>
  renderHandoff(buildHandoff(ledgerOf(events), { git }), { chars: 5_000 });

describe('what git says', () => {
  it('is merged with the transcript, file by file', () => {
    const text = render({
      ...clean,
      changes: [
        { path: 'src/cart/add-up.ts', state: 'changed', unstaged: 'modified', lines: { added: 3, deleted: 1 } },
        { path: 'src/voucher.ts', from: 'src/coupon.ts', state: 'changed', staged: 'renamed' },
        { path: 'logo.png', state: 'changed', unstaged: 'modified', lines: 'binary' },
        { path: 'notes.txt', state: 'untracked' },
      ],
    });
    expect(text).toMatch(/- `src\/cart\/add-up\.ts`: edited once, .*, in git modified \(\+3 −1\)/);
    expect(text).toContain('- `src/voucher.ts`: in git renamed from `src/coupon.ts`, staged, not changed with');
    expect(text).toContain('- `logo.png`: in git modified (binary)');
    expect(text).toContain('- `notes.txt`: in git untracked');
    expect(text).toContain('In git the branch is `fix-totals`; 4 files are not committed.');
  });

  it('shows that a change is no longer one', () => {
    expect(render(clean)).toMatch(/`src\/cart\/add-up\.ts`: edited once, .*, in git no longer changed/);
    expect(render(clean)).toContain('nothing is uncommitted');
  });

  it('shows what is begun and not finished', () => {
    const text = render({
      ...clean,
      branch: 'main',
      upstream: { name: 'origin/main', ahead: 2, behind: 1 },
      operation: { kind: 'rebase', branch: 'fix-totals' },
      changes: [{ path: 'src/a.ts', state: 'conflicted' }],
    });
    expect(text).toContain('In git a rebase of `fix-totals` is in progress, with conflicts in 1 file');
    expect(text).toContain('`main` (the conversation ended on `fix-totals`), 2 ahead and 1 behind of `origin/main`');
  });

  it('names the commits, and those that were made in the conversation', () => {
    const [, ...rest] = shopTranscript();
    const events = rest.map((event) => ({ ...event, from: { ...event.from, at: '2026-01-02T00:00:00Z' } }));
    const commits = [
      { hash: 'abcdef0123456789', subject: 'Fix the totals', at: '2026-01-03T00:00:00+01:00' },
      { hash: '1234567890abcdef', subject: 'Begin', at: '2026-01-01T00:00:00Z' },
    ];
    const text = render({ ...clean, commits }, events);
    expect(text).toContain('- `abcdef0123` “Fix the totals” (since this conversation began)\n');
    expect(text).toMatch(/- `1234567890` “Begin”$/m);
  });

  it('comes with where it was learnt', () => {
    const document = buildHandoff(ledgerOf(shopTranscript()), {
      git: { ...clean, changes: [{ path: 'src/cart/add-up.ts', state: 'untracked' }] },
    });
    const [file] = document.sections.find(({ id }) => id === 'changed-files')?.items ?? [];
    expect(file?.from).toEqual([{ line: expect.any(Number) }, { git: 'status' }]);
  });
});

describe('many changed files', () => {
  const many = Array.from({ length: 300 }, (_, index) => ({
    path: `build/out/part-${index}.js`,
    state: 'untracked' as const,
  }));

  it('are told by folder where the conversation did not touch them', () => {
    const git = { ...clean, changes: [{ path: 'src/mine.ts', state: 'changed' as const }, ...many], moreChanges: 7 };
    const text = renderHandoff(buildHandoff(ledgerOf(eventsOf(asked('go'), edited('src/mine.ts'))), { git }), {
      chars: 2_000,
    });
    expect(text).toContain('- `src/mine.ts`: edited once');
    expect(text).toContain("- `build/out/`: 300 files changed in git, not changed with the agent's editing tools");
    expect(text).toContain('- 7 more changed files that `git status` lists');
  });

  it('are told one by one where they are in conflict or were touched', () => {
    const changes = [...many, { path: 'build/out/x.js', state: 'conflicted' as const }];
    const files = reportedFiles({ ...clean, changes }, new Set(['build/out/part-3.js']));
    expect(files.map(({ path }) => path)).toEqual(['build/out/part-3.js', 'build/out/x.js', 'build/out/']);
  });
});

it.each([
  ['', 'src/a.ts', 'src/a.ts'],
  ['packages/core/', 'packages/core/a.ts', 'a.ts'],
  ['packages/core/', 'packages/cli/a.ts', '../cli/a.ts'],
  ['packages/core/', 'README.md', '../../README.md'],
])('in %j the file %j is %j', (folder, path, seen) => {
  expect(pathFrom(folder, path)).toBe(seen);
});
