import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A real repository in a temporary folder, isolated from the machine's git settings. */
export function createRepository({
  init = ['init', '--initial-branch=main'],
}: {
  readonly init?: readonly string[];
} = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-worktree-')));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
  const repository = {
    folder,
    env,
    git: (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
        cwd: folder,
        env: { ...env, ...author, GIT_EDITOR: 'true', GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }).trimEnd(),
    /** For commands that end in a conflict. */
    tryGit(...args: readonly string[]) {
      try {
        repository.git(...args);
      } catch {
        // as expected
      }
    },
    write(path: string, text: string, mode = 0o644) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { mode });
      return join(folder, path);
    },
    commit(path: string, text: string, subject: string) {
      repository.write(path, text);
      repository.git('add', '--', path);
      repository.git('commit', '--quiet', '-m', subject);
      return repository.git('rev-parse', 'HEAD');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  if (init.length > 0) repository.git(...init);
  return repository;
}

export type Repository = ReturnType<typeof createRepository>;
