import { noRunFacts, type RunFacts } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { workToBeginAt } from '../work-to-begin-at.js';

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
    expect(workToBeginAt(dependencies, runs, 'clone-1').from ?? []).toEqual(expected);
  });

  const elsewhere = { begun: { by: 'ann', terminal: 'r1', clone: 'clone-2' }, head: 'c0ffee' };

  it.each<[string, readonly string[], readonly RunFacts[], ReturnType<typeof workToBeginAt>]>([
    ['on its branch', ['A'], [run('r1', 'A', elsewhere)], { needs: [{ commit: 'c0ffee', branch: 'devs/r1' }] }],
    [
      'merged there',
      ['A'],
      [run('r1', 'A', { ...elsewhere, ...merged })],
      { needs: [{ commit: '1', branch: 'main' }] },
    ],
    [
      'and in this one',
      ['A', 'B'],
      [run('r1', 'A', elsewhere), run('r2', 'B')],
      { from: ['refs/heads/devs/r2'], needs: [{ commit: 'c0ffee', branch: 'devs/r1' }] },
    ],
    [
      'and by hand',
      ['A', 'B'],
      [run('r1', 'A', elsewhere)],
      { from: ['HEAD'], needs: [{ commit: 'c0ffee', branch: 'devs/r1' }] },
    ],
    ['by a devs that did not record its commits', ['A'], [run('r1', 'A', { begun: elsewhere.begun })], {}],
  ])('[F1] of one whose dependency was done in another clone, %s', (_, dependencies, runs, expected) => {
    expect(workToBeginAt(dependencies, runs, 'clone-1')).toEqual(expected);
  });
});
