import { noRunFacts, type RunFacts } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { refsToBeginAt } from '../refs-to-begin-at.js';

const run = (id: string, taskId: string, changes: Partial<RunFacts> = {}): RunFacts => ({
  ...noRunFacts(id),
  plan: { request: '', workflow: 'w', agent: 'a', place: 'own', folder: '/p', task: { id: taskId, fence: 1 } },
  worktree: { path: `/p/${id}`, branch: `devs/${id}`, base: '0' },
  phase: { kind: 'finished', outcome: 'done', detail: '' },
  ...changes,
});
const merged = { merged: { into: 'main', commit: '1' } };

describe('where the branch of a task begins', () => {
  it.each<[string, readonly string[], readonly RunFacts[], readonly string[]]>([
    ['one that depends on nothing', [], [run('r1', 'A')], []],
    ['one that depends on another', ['A'], [run('r1', 'A'), run('r2', 'B')], ['refs/heads/devs/r1']],
    [
      'one that depends on two',
      ['A', 'B'],
      [run('r1', 'A'), run('r2', 'B')],
      ['refs/heads/devs/r1', 'refs/heads/devs/r2'],
    ],
    ['one whose dependency was done twice', ['A'], [run('r1', 'A'), run('r2', 'A')], ['refs/heads/devs/r2']],
    [
      'one whose dependency came to nothing at first',
      ['A'],
      [run('r1', 'A'), run('r2', 'A', { phase: { kind: 'finished', outcome: 'failed', detail: '' } })],
      ['refs/heads/devs/r1'],
    ],
    ['one whose dependency was done by hand', ['A'], [], []],
    [
      'one with a dependency that was done by hand, and one with a run',
      ['A', 'B'],
      [run('r2', 'B')],
      ['HEAD', 'refs/heads/devs/r2'],
    ],
    [
      'one whose dependency is done by a run that has not said yet that it is over',
      ['A'],
      [
        run('r1', 'A', { phase: { kind: 'finished', outcome: 'failed', detail: '' } }),
        run('r2', 'A', { phase: { kind: 'begun' }, left: [] }),
      ],
      ['refs/heads/devs/r2'],
    ],
    [
      'one whose dependency was done by hand, though a run had begun with it',
      ['A', 'B'],
      [run('r1', 'A', { phase: { kind: 'paused', why: '' } }), run('r2', 'B')],
      ['HEAD', 'refs/heads/devs/r2'],
    ],
    ['one whose dependency is merged', ['A'], [run('r1', 'A', merged)], []],
    [
      'one with a dependency that is merged, and one that is not',
      ['A', 'B'],
      [run('r1', 'A', merged), run('r2', 'B')],
      ['HEAD', 'refs/heads/devs/r2'],
    ],
    ['one whose dependency was done in the folder itself', ['A'], [run('r1', 'A', { worktree: { path: '/p' } })], []],
  ])('of %s', (_, dependencies, runs, expected) => {
    expect(refsToBeginAt(dependencies, runs)).toEqual(expected);
  });
});
