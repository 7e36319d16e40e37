import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepository } from '../../__tests__/repository.js';
import { makeRunWorktree, type RunWorktreeRequest } from '../make-run-worktree.js';
import { mergeRun } from '../merge-run.js';
import { removeRunWorktree } from '../remove-run-worktree.js';
import { runCommand } from '../run-command.js';
import { readRunCommits } from '../run-commits.js';

const NODE = process.execPath;

function openRepository() {
  const repository = createRepository();
  onTestFinished(repository.remove);
  repository.commit('src/a.txt', 'a\n', 'First');
  const env = {
    ...repository.env,
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
  return { repository, env, request, make, commitIn };
}

describe('the work tree of a run', () => {
  it('is on a branch of its own under the project, and git does not see it', async () => {
    const { repository, make } = openRepository();
    const { path, branch, base, notes } = await make();
    expect(path).toBe(join(repository.folder, '.devs/worktrees/run-1'));
    expect(branch).toBe('devs/run-1');
    expect(base).toBe(repository.git('rev-parse', 'HEAD'));
    expect(notes).toEqual([]);
    expect(repository.git('-C', path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('devs/run-1');
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(path, 'src/a.txt'), 'utf8')).toBe('a\n');
  });

  it('is the same one when it is made twice, with what was done in it, and with the base that it began at', async () => {
    const { repository, make, commitIn } = openRepository();
    const first = await make();
    commitIn(first.path, 'b.txt', 'b');
    writeFileSync(join(first.path, 'open.txt'), 'not committed');
    repository.commit('c.txt', 'c', 'Meanwhile on main');
    const second = await make({ setup: [[NODE, '-e', 'process.exit(1)']] });
    expect(second).toEqual({ ...first, notes: [] });
    expect(existsSync(join(first.path, 'open.txt'))).toBe(true);
    expect(existsSync(join(first.path, 'b.txt'))).toBe(true);
  });

  it('gets the ignored files of the copy list, with their modes, and says which it could not get', async () => {
    const { repository, make } = openRepository();
    repository.write('.gitignore', '.env\nsecrets/\n');
    repository.git('add', '.gitignore');
    repository.git('commit', '--quiet', '-m', 'Ignore');
    repository.write('.env', 'A=1', 0o600);
    repository.write('secrets/deep/key', 'k');
    const { path, notes } = await make({ copy: ['.env', '.env.local', 'secrets', '../outside', '/etc/hosts'] });
    expect(readFileSync(join(path, '.env'), 'utf8')).toBe('A=1');
    expect(statSync(join(path, '.env')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(path, 'secrets/deep/key'), 'utf8')).toBe('k');
    expect(notes).toHaveLength(2);
    expect(notes.join()).toMatch(/outside the project/);
  });

  it('says what of the main tree is not in it', async () => {
    const { repository, make } = openRepository();
    repository.write('src/a.txt', 'changed');
    repository.write('new.txt', 'new');
    const { notes, path } = await make();
    expect(notes[0]).toMatch(/src\/a\.txt, new\.txt/);
    expect(readFileSync(join(path, 'src/a.txt'), 'utf8')).toBe('a\n');
    expect(readFileSync(join(repository.folder, 'src/a.txt'), 'utf8')).toBe('changed');
  });

  it('runs the setup in it; where that fails it says how, and the next try begins anew', async () => {
    const { make, request } = openRepository();
    const failing = [NODE, '-e', 'console.log("no network"); process.exit(3)'];
    const failed = await makeRunWorktree(request({ setup: [failing] }));
    expect(failed).toMatchObject({ outcome: 'setup-failed', exitCode: 3, command: failing });
    expect(JSON.stringify(failed)).toContain('no network');
    const { path } = await make({ setup: [[NODE, '-e', 'require("fs").appendFileSync("made", "x")']] });
    expect(readFileSync(join(path, 'made'), 'utf8')).toBe('x');
  });

  it.each([
    ['a folder that git does not know', (top: string) => mkdirSync(top, { recursive: true })],
    ['a folder with half of the files', (top: string) => rmSync(join(top, 'src'), { recursive: true })],
    ['no folder any more', (top: string) => rmSync(top, { recursive: true })],
    ['a folder without its link to git', (top: string) => rmSync(join(top, '.git'))],
  ])('is made anew where a crash left %s', async (what, damage) => {
    const { repository, make, request } = openRepository();
    const top = join(repository.folder, '.devs/worktrees/run-1');
    if (!what.includes('does not know')) await makeRunWorktree(request({ setup: [[NODE, '-e', 'process.exit(1)']] })); // made, and never ready
    damage(top);
    const { path, base } = await make();
    expect(readFileSync(join(path, 'src/a.txt'), 'utf8')).toBe('a\n');
    expect(repository.git('-C', path, 'status', '--porcelain')).toBe('');
    expect(base).toBe(repository.git('rev-parse', 'HEAD'));
  });

  it('of a project inside a larger repository is the same folder in the new tree', async () => {
    const { repository, make } = openRepository();
    repository.commit('apps/web/x.txt', 'x', 'Web');
    const { path } = await make({ folder: join(repository.folder, 'apps/web') });
    expect(path).toBe(join(repository.folder, 'apps/web/.devs/worktrees/run-1/apps/web'));
    expect(existsSync(join(path, 'x.txt'))).toBe(true);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('is not made without a repository, nor without a commit', async () => {
    const bare = createRepository({ init: [] });
    onTestFinished(bare.remove);
    const env = { ...bare.env, GIT_CEILING_DIRECTORIES: bare.folder };
    const parts = { runId: 'r', copy: [], setup: [], env, commandMs: 1_000 };
    expect(await makeRunWorktree({ ...parts, folder: bare.folder })).toEqual({ outcome: 'no-repository' });
    const empty = createRepository();
    onTestFinished(empty.remove);
    expect(await makeRunWorktree({ ...parts, folder: empty.folder })).toEqual({ outcome: 'no-commit' });
    expect(await makeRunWorktree({ ...parts, folder: join(empty.folder, 'none') })).toEqual({ outcome: 'no-folder' });
  });
});

describe('the way back', () => {
  it('lists the commits of the run, newest first', async () => {
    const { env, make, commitIn } = openRepository();
    const { path, base } = await make();
    expect(await readRunCommits({ folder: path, base, env })).toEqual([]);
    commitIn(path, 'b.txt', 'b');
    commitIn(path, 'c.txt', 'c');
    const commits = await readRunCommits({ folder: path, base, env });
    expect(commits.map(({ subject }) => subject)).toEqual(['Write c.txt', 'Write b.txt']);
  });

  it('is a fast-forward where the branch has not moved, a merge commit where it has', async () => {
    const { repository, env, make, commitIn } = openRepository();
    const { path, branch } = await make();
    commitIn(path, 'b.txt', 'b');
    const parts = { folder: repository.folder, branch, worktree: path, checksPassed: true, env };
    expect(await mergeRun(parts)).toMatchObject({ outcome: 'merged', into: 'main', how: 'fast-forward' });
    commitIn(path, 'c.txt', 'c');
    repository.commit('d.txt', 'd', 'On main');
    expect(await mergeRun(parts)).toMatchObject({ outcome: 'merged', how: 'merge-commit' });
    expect(await mergeRun(parts)).toMatchObject({ outcome: 'merged', how: 'nothing-new' });
    expect(existsSync(join(repository.folder, 'c.txt'))).toBe(true);
  });

  it('is refused, with what to do, where something could be lost', async () => {
    const { repository, env, make, commitIn } = openRepository();
    const { path, branch } = await make();
    commitIn(path, 'src/a.txt', 'theirs');
    const parts = { folder: repository.folder, branch, worktree: path, checksPassed: true, env };
    const reason = async (changes = {}) => {
      const outcome = await mergeRun({ ...parts, ...changes });
      if (outcome.outcome !== 'refused') throw new Error(outcome.outcome);
      expect(outcome.advice).not.toBe('');
      return outcome.reason;
    };
    expect(await reason({ checksPassed: false })).toMatch(/check/);
    writeFileSync(join(path, 'left.txt'), '');
    expect(await reason()).toMatch(/left\.txt/);
    rmSync(join(path, 'left.txt'));
    repository.write('src/a.txt', 'mine, not committed');
    expect(await reason()).toMatch(/not committed/);
    repository.commit('src/a.txt', 'mine', 'Mine');
    const before = repository.git('rev-parse', 'HEAD');
    expect(await reason()).toMatch(/could not merge/);
    expect(repository.git('rev-parse', 'HEAD')).toBe(before);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('removes the work tree, and the branch where it is merged', async () => {
    const { repository, env, make, commitIn } = openRepository();
    const { path, branch } = await make();
    commitIn(path, 'b.txt', 'b');
    writeFileSync(join(path, 'left.txt'), '');
    const parts = { folder: repository.folder, runId: 'run-1', env };
    expect(await removeRunWorktree(parts)).toMatchObject({ outcome: 'refused' });
    rmSync(join(path, 'left.txt'));
    expect(await removeRunWorktree(parts)).toEqual({ outcome: 'removed', keptBranch: true });
    expect(existsSync(path)).toBe(false);
    await mergeRun({ folder: repository.folder, branch, checksPassed: true, env });
    expect(await removeRunWorktree(parts)).toEqual({ outcome: 'removed', keptBranch: false });
    expect(repository.git('branch', '--list', branch)).toBe('');
  });
});

describe('a command', () => {
  it('is ended with all that it started when it takes too long, and says so', async () => {
    const { repository, env } = openRepository();
    const code =
      'require("child_process").spawn(process.execPath, ["-e", "setInterval(()=>{},1000)"], {stdio:"inherit"}); console.log("begun"); setInterval(()=>{},1000)';
    const ran = await runCommand({ command: [NODE, '-e', code], folder: repository.folder, env, timeMs: 1_000 });
    expect(ran.exitCode).toBe(124);
    expect(ran.tail).toMatch(/begun/);
    expect(ran.tail).toMatch(/longer than 1 s/);
  });

  it('that does not exist is an answer, and the end of a long output is kept', async () => {
    const { repository, env } = openRepository();
    const parts = { folder: repository.folder, env, timeMs: 20_000 };
    expect(await runCommand({ ...parts, command: ['no-such-program-here'] })).toMatchObject({ exitCode: 127 });
    const long = await runCommand({
      ...parts,
      command: [NODE, '-e', 'console.log("x".repeat(50000)); console.log("END")'],
    });
    expect(long.exitCode).toBe(0);
    expect(long.tail.endsWith('END\n')).toBe(true);
    expect(long.tail.length).toBeLessThanOrEqual(8_000);
  });
});
