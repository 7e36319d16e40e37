import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepository } from '../../__tests__/repository.js';
import { checkpointRef } from '../checkpoint-ref.js';
import { saveCheckpoint } from '../save-checkpoint.js';

describe('a checkpoint whose number is already in use', () => {
  it("is saved under the next free number, so that another store's checkpoint never passes for the current work", async () => {
    const { folder, env, git, write, commit, remove } = createRepository();
    onTestFinished(remove);
    commit('a.ts', '1', 'Begun');
    const save = (id: string, number: number) =>
      saveCheckpoint(folder, { terminal: 't', id, number, message: 'Before the renewal' }, { env });
    write('a.ts', 'of the store that is gone');
    const theirs = await save('renewal-x', 1);
    write('a.ts', 'of now');
    const ours = await save('renewal-y', 1);
    expect([theirs, ours]).toMatchObject([
      { outcome: 'saved', ref: checkpointRef('t', 1) },
      { outcome: 'saved', ref: checkpointRef('t', 2) },
    ]);
    expect(git('--git-dir=.git/devs/checkpoints.git', 'show', `${checkpointRef('t', 2)}:a.ts`)).toBe('of now');
    write('a.ts', 'later');
    expect(await save('renewal-y', 1)).toEqual({ ...ours, leftOut: [], moreChanges: 0 });
    expect(await save('renewal-x', 1)).toMatchObject({ ref: checkpointRef('t', 1) });
  });
});
