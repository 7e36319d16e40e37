import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readWorktree } from '../read-worktree.js';
import { makeRunWorktree } from '../run-worktree/make-run-worktree.js';

/** A repository, and a foreign command that leaves a mark. */
function openRepository() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'devs-swapped-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true, maxRetries: 5 }));
  const folder = join(top, 'shop');
  const marker = join(top, 'it-ran');
  const env = { ...process.env, HOME: top, XDG_STATE_HOME: join(top, 'state') };
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd, env, stdio: 'pipe' });
  mkdirSync(folder);
  git(folder, 'init', '-q');
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'Begin');
  return { folder, env, git, command: `touch ${marker}; cat`, hasRun: () => existsSync(marker) };
}

it('[S11] runs no filter of an agent that replaces .git in its work tree', async () => {
  const { folder, env, git, command, hasRun } = openRepository();
  const request = { folder, runId: 'abc123', copy: [], setup: [], from: [], env, commandMs: 60_000 };
  const made = await makeRunWorktree(request);
  if (made.outcome !== 'made') throw new Error(JSON.stringify(made));
  rmSync(join(made.path, '.git'));
  git(made.path, 'init', '-q');
  writeFileSync(join(made.path, '.gitattributes'), '* filter=evil\n');
  git(made.path, 'add', '-A');
  git(made.path, 'config', 'filter.evil.clean', command);
  writeFileSync(join(made.path, 'a.txt'), 'b\n');

  const read = await readWorktree(made.path, { env });
  expect(read).toMatchObject({ outcome: 'read', worktree: { branch: 'devs/abc123' } });
  await makeRunWorktree(request);
  expect(hasRun()).toBe(false);
});

it('[S11] takes no settings of a bare repository that is a folder of the project', async () => {
  const { folder, env, git, command, hasRun } = openRepository();
  const bare = join(folder, 'docs');
  git(folder, 'init', '-q', '--bare', 'docs');
  git(bare, 'config', 'core.bare', 'false');
  git(bare, 'config', 'core.worktree', folder);
  git(bare, 'config', 'filter.evil.clean', command);
  writeFileSync(join(folder, '.gitattributes'), '* filter=evil\n');

  expect((await readWorktree(bare, { env })).outcome).toBe('no-work-tree');
  expect(hasRun()).toBe(false);
});

it('[S11] takes no git folder from a file that the agent, or a cloned project, brings', async () => {
  const { folder, env, git, command, hasRun } = openRepository();
  const deep = ['packages', 'web'];
  const made = await makeRunWorktree({ folder, runId: 'abc123', copy: [], setup: [], env, commandMs: 60_000 });
  if (made.outcome !== 'made') throw new Error(JSON.stringify(made));
  const cloned = join(folder, '.devs', 'worktrees', 'shop', 'run');
  for (const [place, pin] of [
    [join(made.path, ...deep), join(made.path, 'packages', '.git-of-web')],
    [cloned, join(folder, '.devs', 'worktrees', 'shop', '.git-of-run')],
  ] as const) {
    mkdirSync(place, { recursive: true });
    git(place, 'init', '-q', '--bare', 'evil');
    git(join(place, 'evil'), 'config', 'core.bare', 'false');
    git(join(place, 'evil'), 'config', 'filter.evil.clean', command);
    writeFileSync(join(place, '.gitattributes'), '* filter=evil\n');
    writeFileSync(join(place, 'b.txt'), 'b\n');
    git(place, '--git-dir=evil', '--work-tree=.', '-c', 'filter.evil.clean=cat', 'add', 'b.txt');
    writeFileSync(join(place, 'b.txt'), 'c\n');
    writeFileSync(pin, JSON.stringify({ gitFolder: join(place, 'evil') }));
    await readWorktree(place, { env });
  }
  expect(hasRun()).toBe(false);
});
