import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createRepository } from '../../__tests__/repository.js';
import { makeRunWorktree, type RunWorktreeRequest } from '../make-run-worktree.js';

/** A repository with one commit and a user with a state folder. */
export function openRepository() {
  const repository = createRepository();
  onTestFinished(repository.remove);
  repository.commit('src/a.txt', 'a\n', 'First');
  const state = realpathSync(mkdtempSync(join(tmpdir(), 'devs-state-')));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const env = {
    ...repository.env,
    XDG_STATE_HOME: state,
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  repository.git('config', 'user.name', 'A');
  repository.git('config', 'user.email', 'a@b');
  const request = (changes: Partial<RunWorktreeRequest> = {}): RunWorktreeRequest => ({
    folder: repository.folder,
    runId: 'run-1',
    copy: [],
    setup: [],
    env,
    commandMs: 20_000,
    ...changes,
  });
  const make = async (changes: Partial<RunWorktreeRequest> = {}) => {
    const made = await makeRunWorktree(request(changes));
    if (made.outcome !== 'made') throw new Error(JSON.stringify(made));
    return made;
  };
  const commitIn = (path: string, file: string, text: string) => {
    writeFileSync(join(path, file), text);
    repository.git('-C', path, 'add', '--', file);
    repository.git('-C', path, 'commit', '--quiet', '-m', `Write ${file}`);
  };
  return { repository, env, state, request, make, commitIn };
}
