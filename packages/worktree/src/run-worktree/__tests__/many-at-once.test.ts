import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rounds } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { isMomentary, retryLocked } from '../../retry-locked.js';
import { createGit } from '../../run-git.js';
import { makeRunWorktree } from '../make-run-worktree.js';
import { addWorktree } from '../place-worktree.js';
import { removeRunWorktree } from '../remove-run-worktree.js';
import { openRepository } from './open-repository.js';

describe('work trees of one repository', () => {
  it('are made and removed at the same time, and none meets another that is half made', async () => {
    const { repository, env, request } = openRepository();
    const atOnce = 6;
    for (let round = 0; round < rounds(1); round += 1) {
      const ids = Array.from({ length: atOnce }, (_, index) => `run-${round}-${index}`);
      const made = await Promise.all(ids.map((runId) => makeRunWorktree(request({ runId }))));
      expect(made.filter(({ outcome }) => outcome !== 'made')).toEqual([]);
      const remove = (runId: string) => removeRunWorktree({ folder: repository.folder, runId, env });
      const removed = await Promise.all(ids.map(remove));
      expect(removed).toEqual(ids.map(() => ({ outcome: 'removed', keptBranch: false })));
    }
    expect(existsSync(join(repository.folder, '.git', 'devs-worktrees.lock'))).toBe(false);
  });

  it('are asked for again after another git was half done with its own', async () => {
    const { repository, state, env } = openRepository();
    const half = join(repository.folder, '.git', 'worktrees', 'half');
    mkdirSync(half, { recursive: true });
    writeFileSync(join(half, 'gitdir'), '/nowhere/half/.git\n');
    writeFileSync(join(half, 'HEAD'), 'ref: refs/heads/half\n');
    writeFileSync(join(half, 'commondir'), '');
    const git = createGit({ folder: repository.folder, env, timeMs: 20_000 });
    const outcomes: string[] = [];
    await retryLocked(async () => {
      const added = await addWorktree(git, { top: join(state, 'other'), branch: 'other', base: 'HEAD', isNew: true });
      outcomes.push(added.outcome);
      rmSync(half, { recursive: true, force: true });
      return added;
    });
    expect(outcomes).toEqual(['failed', 'printed']);
  });

  it.each([
    ['fatal: failed to read .git/worktrees/run-p1-46/commondir: Success', true],
    ["fatal: Unable to create '/a/.git/index.lock': File exists.", true],
    ['error: could not lock config file .git/config: File exists', true],
    [
      "fatal: cannot lock ref 'refs/heads/devs/x': Unable to create '/a/.git/refs/heads/devs/x.lock': File exists.",
      true,
    ],
    ["fatal: 'devs/run-1' is already checked out at '/a'", false],
    ["fatal: cannot lock ref 'refs/heads/devs/x': 'refs/heads/devs' exists; cannot create 'refs/heads/devs/x'", false],
    ['fatal: Unable to create temporary file: No space left on device', false],
  ])('know a lock by what git says: %s', (message, isLock) => {
    expect(isMomentary(message)).toBe(isLock);
  });
});
