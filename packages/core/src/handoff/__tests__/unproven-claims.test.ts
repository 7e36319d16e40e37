import { expect, it } from 'vitest';
import { unprovenClaims } from '../evidence/unproven-claims.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { asked, edited, eventsOf, ran, said, type Told } from './transcript.js';

const finished = (title: string): Told => ({ type: 'task.changed', taskId: title, title, status: 'completed' });
const claimsIn = (...facts: readonly Told[]) =>
  unprovenClaims(ledgerOf(eventsOf(asked('go'), ...facts)), undefined).map(({ claim, lack }) => `${claim}: ${lack}`);

it.each<[string, readonly Told[], readonly string[]]>([
  [
    'work without any',
    [finished('Fix the sum')],
    ['Fix the sum: no file was changed and no command succeeded in this conversation'],
  ],
  ['work after a change', [edited('a.ts'), finished('Fix the sum')], []],
  ['a finished thought', [finished('Think about it')], []],
  ['a commit that nobody saw', [edited('a.ts'), finished('Commit the fix')], ['Commit the fix: no commit was seen']],
  ['a commit', [edited('a.ts'), ran('git add a.ts && git commit -m fix'), finished('Commit the fix')], []],
  [
    'a check that failed',
    [ran('npm test', 'error', 'failed'), ran('ls'), finished('Run the tests')],
    ['Run the tests: no check succeeded in this conversation'],
  ],
  ['a check that succeeded', [ran('npm test', '12 passed'), finished('Run the tests')], []],
  [
    'words after the last change',
    [ran('npm test', 'ok'), edited('src/a.ts'), said('All tests pass now.')],
    ['All tests pass now.: no check has succeeded since `src/a.ts` was changed'],
  ],
  ['words after a check', [edited('src/a.ts'), ran('npm test', 'ok'), said('All tests pass now.')], []],
  [
    'tests that nobody ran',
    [finished('Run tests'), said('Both are done and all tests pass.')],
    [
      'Run tests: no check succeeded in this conversation',
      'Both are done and all tests pass.: no check succeeded in this conversation',
    ],
  ],
  [
    'tests that failed the last time',
    [edited('a.ts'), ran('npm test', '3 passed'), ran('npm test 2>&1 | tail', '# fail 2'), said('All tests pass now.')],
    ['All tests pass now.: the last check, `npm test 2>&1 | tail`, did not succeed'],
  ],
  [
    'tests whose output tells of failures',
    [edited('a.rb'), ran('rspec | tail', '42 examples, 3 failures'), said('All tests pass now.')],
    ['All tests pass now.: no check has succeeded since `a.rb` was changed'],
  ],
  [
    'specs after they ran',
    [edited('a.rb'), ran('bundle exec rspec', '4 examples, 0 failures'), said('All specs are green.')],
    [],
  ],
  ['an answer to a question', [said('The migration is done by the core team.')], []],
  ['words that hope', [edited('src/a.ts'), said('All tests should pass once it is built.')], []],
])('claims of %s', (_, facts, claims) => {
  expect(claimsIn(...facts)).toEqual(claims);
});

it('doubts a push while commits are not pushed', () => {
  const ledger = ledgerOf(eventsOf(asked('go'), ran('git push'), finished('Push the branch')));
  const git = { changes: [], moreChanges: 0, commits: [], upstream: { name: 'origin/main', ahead: 1 } };
  expect(unprovenClaims(ledger, git)).toMatchObject([{ lack: 'git has commits that are not pushed' }]);
  expect(unprovenClaims(ledger, { ...git, upstream: { name: 'origin/main', ahead: 0 } })).toEqual([]);
});
