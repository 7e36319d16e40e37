import { describe, expect, it } from 'vitest';
import { buildHandoff } from '../document/build-document.js';
import { SECTIONS } from '../document/handoff-document.js';
import type { GitEvidence } from '../evidence/git-evidence.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { renderHandoff, smallestBudget } from '../render/render-handoff.js';
import { verifyHandoff, verifyHandoffText } from '../verify/verify-handoff.js';
import { asked, edited, eventsOf, ran, said, type Told } from './transcript.js';

const handoffOf = (facts: readonly Told[], { chars = 4_000, git }: { chars?: number; git?: GitEvidence } = {}) =>
  renderHandoff(buildHandoff(ledgerOf(eventsOf(...facts)), { git }), { chars });

describe('a last request that is too long', () => {
  const log = Array.from({ length: 300 }, (_, at) => `line ${at} something happened in a module.`).join('\n');
  const facts = [asked(`Here is a log:\n${log}\n\nFINALLY: fix only login.py and nothing else.`), said('ok')];

  it.each([1_500, 4_000, 12_000])('is told with its beginning and its end in %d characters', (chars) => {
    const text = handoffOf(facts, { chars });
    expect(text).toContain('Here is a log:\nline 0 something');
    expect(text).toMatch(/\n\[…\]\n[\s\S]*FINALLY: fix only login\.py and nothing else\.\n```/);
  });

  it('is missed by the check where its end is gone', () => {
    const evidence = { ledger: ledgerOf(eventsOf(...facts)) };
    const text = handoffOf(facts);
    expect(verifyHandoffText(text, evidence)).toEqual([]);
    expect(verifyHandoffText(text.replace('FINALLY', ''), evidence)).toMatchObject([{ what: 'last-request' }]);
  });
});

describe('what has no room', () => {
  const tasks = Array.from(
    { length: 200 },
    (_, at): Told => ({
      type: 'task.changed',
      taskId: `${at}`,
      title: `Migrate table number ${at} of the warehouse to the new layout`,
      status: 'pending',
    }),
  );
  const facts = [asked('Do all of these.'), ...tasks, ran('make migrate', 'ERROR relation missing', 'failed')];

  it.each([1_200, 3_000, 6_000, 20_000])('is named, section by section, in %d characters', (chars) => {
    const text = handoffOf(facts, { chars });
    const [, named = ''] = /\n\nNo room for: (.*)\.$/.exec(text) ?? [];
    for (const { id, items } of buildHandoff(ledgerOf(eventsOf(...facts))).sections) {
      if (items.every(({ form }) => form === 'name')) continue;
      expect(text.includes(`\n## ${SECTIONS[id]}\n`)).toBe(!named.split('; ').includes(SECTIONS[id]));
    }
    expect(named === '').toBe(chars === 20_000);
    expect(text.length).toBeLessThanOrEqual(chars);
  });

  it('is found by the check', () => {
    const ledger = ledgerOf(eventsOf(...facts));
    const document = buildHandoff(ledger);
    const faults = verifyHandoff(document, { ledger }, { chars: 3_000 });
    const told = tasks.length - faults.filter((fault) => fault.kind === 'missing' && fault.what === 'open-task').length;
    expect(handoffOf(facts, { chars: 3_000 }).match(/^- \[ \] /gm)).toHaveLength(told);
    expect(verifyHandoff(document, { ledger }, { chars: smallestBudget(document) })).toEqual([]);
  });

  it('is not spoken of where everything has room', () => {
    const named = handoffOf([asked('Look at src/a_name.ts.'), ran('cat src/a_name.ts', 'text'), said('Done with it.')]);
    expect(named).not.toContain('No room for');
  });
});

it('marks where lines of a result are left out', () => {
  const lines = Array.from({ length: 120 }, (_, at) =>
    at % 9 === 0 ? `step ${at}: if (userRole_${at}) return deny_${at}();` : `step ${at}: plain words that say nothing`,
  );
  const [excerpt = ''] =
    /From the last result[\s\S]*?\n```\n([\s\S]*?)\n```/.exec(
      handoffOf([asked('Look.'), ran('cat policy.js', lines.join('\n'))], { chars: 2_500 }),
    ) ?? [];
  const steps = excerpt.split('\n').map((line) => (line === '…' ? '…' : Number(/^step (\d+)/.exec(line)?.[1])));
  const jumps = steps.filter(
    (step, at) => at > 0 && step !== '…' && steps[at - 1] !== '…' && step !== Number(steps[at - 1]) + 1,
  );
  expect(steps).toContain('…');
  expect(jumps.filter((step) => !Number.isNaN(step))).toEqual([]);
});

it('does not deny changes that commands made', () => {
  const change = (path: string) => ({ path, state: 'changed' as const });
  const text = handoffOf(
    [asked('Bump.'), ran("sed -i 's/b/B/' b.txt && rm b.txt"), ran('cat c.txt'), ran('echo n > d.txt')],
    {
      git: { changes: [change('b.txt'), change('c.txt'), change('d.txt')], moreChanges: 0, commits: [] },
    },
  );
  expect(text).toContain('changed no file with its editing tools');
  expect(text).toMatch(/- `b\.txt`: .*, named in `sed -i 's\/b\/B\/' b\.txt && rm b\.txt`/);
  expect(text).toMatch(/- `c\.txt`: .*, not changed with the agent's editing tools/);
  expect(text).toMatch(/- `d\.txt`: .*, named in `echo n > d\.txt`/);
  expect(text).not.toContain('not touched');
});

it('lists commands that may be run again, and that went well', () => {
  const text = handoffOf([
    asked('go'),
    ran('npm run serve-it', 'listening'),
    ran('rm -rf out'),
    ran('git add . && git commit -m "x"'),
    ran('cat > a.py <<EOF\nprint(1)\nEOF'),
    ran('npm test | tail', '# fail 2'),
  ]);
  const [, section = ''] = text.split('## Commands that work\n');
  expect(section.split('\n\n')[0]).toBe('- `npm run serve-it` ran once, ok: `listening`');
});

it('counts steps and commands as they were', () => {
  expect(handoffOf([asked('go'), said('ok')])).toContain('took 1 step,');
  expect(handoffOf([asked('go'), ran('git push --force', 'denied', 'refused')])).toContain('ran no command');
});

it('takes no question for the reason of a change', () => {
  const reason = 'The port is read twice, which breaks the second server.';
  const text = handoffOf([asked('go'), said(`${reason} Shall I also rename the option of it?`), edited('src/port.ts')]);
  expect(text).toContain(`why: “${reason}”`);
});

it('tells where a file was renamed from as it is from the folder of the conversation', () => {
  const change = { path: 'api/b.ts', from: 'a.ts', state: 'changed' as const, staged: 'renamed' };
  const git = { changes: [change], moreChanges: 0, commits: [], folder: 'api/' };
  expect(handoffOf([asked('go')], { git })).toContain('`b.ts`: in git renamed from `../a.ts`');
});
