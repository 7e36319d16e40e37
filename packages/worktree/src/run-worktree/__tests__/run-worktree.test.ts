import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepository } from '../../__tests__/repository.js';
import { findRunWorktree } from '../find-run-worktree.js';
import { listRunWorktrees } from '../list-run-worktrees.js';
import { makeRunWorktree } from '../make-run-worktree.js';
import { mergeRun } from '../merge-run.js';
import { removeRunWorktree } from '../remove-run-worktree.js';
import { runCommand } from '../run-command.js';
import { readRunCommits } from '../run-commits.js';
import { oldRunsFolder, runsFolder } from '../run-place.js';
import { openRepository } from './open-repository.js';

const NODE = process.execPath;

describe('the work tree of a run', () => {
  it("is on its own branch in the user's state folder, invisible to the project", async () => {
    const { repository, state, make } = openRepository();
    const { path, branch, base, notes } = await make();
    expect(path).toBe(join(runsFolder(repository.folder, { XDG_STATE_HOME: state }), 'run-1'));
    expect(relative(state, path)).toMatch(/^devs\/worktrees\/devs-worktree-\w+-[0-9a-f]{8}\/run-1$/);
    expect(existsSync(join(repository.folder, '.devs'))).toBe(false);
    expect(branch).toBe('devs/run-1');
    expect(base).toBe(repository.git('rev-parse', 'HEAD'));
    expect(notes).toEqual([]);
    expect(repository.git('-C', path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('devs/run-1');
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(path, 'src/a.txt'), 'utf8')).toBe('a\n');
  });

  it('is created only once, and keeps its work and its base', async () => {
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

  it('runs the setup; a failed setup is reported and repeated on the next attempt', async () => {
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
  ])('is recreated after a crash left %s', async (what, damage) => {
    const { repository, env, make, request } = openRepository();
    const top = join(runsFolder(repository.folder, env), 'run-1');
    if (!what.includes('does not know')) await makeRunWorktree(request({ setup: [[NODE, '-e', 'process.exit(1)']] })); // made, and never ready
    damage(top);
    const { path, base } = await make();
    expect(readFileSync(join(path, 'src/a.txt'), 'utf8')).toBe('a\n');
    expect(repository.git('-C', path, 'status', '--porcelain')).toBe('');
    expect(base).toBe(repository.git('rev-parse', 'HEAD'));
  });

  it('of a project inside a larger repository is the same folder in the new tree', async () => {
    const { repository, env, make } = openRepository();
    repository.commit('apps/web/x.txt', 'x', 'Web');
    const folder = join(repository.folder, 'apps/web');
    const { path } = await make({ folder });
    expect(path).toBe(join(runsFolder(folder, env), 'run-1/apps/web'));
    expect(existsSync(join(path, 'x.txt'))).toBe(true);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('is found with its content in .devs/worktrees of an earlier devs', async () => {
    const { repository, env, make } = openRepository();
    const { XDG_STATE_HOME: _, HOME: __, ...homeless } = env;
    const old = await make({ env: homeless });
    expect(old.path).toBe(join(oldRunsFolder(repository.folder), 'run-1'));
    writeFileSync(join(old.path, 'draft.txt'), 'not committed');
    writeFileSync(join(repository.folder, '.git/worktrees/run-1/devs-ready'), ''); // as it was written then
    expect((await make()).path).toBe(old.path);
    expect(existsSync(join(old.path, 'draft.txt'))).toBe(true);
  });

  it('is found after the user moved their state folder', async () => {
    const { repository, env, make } = openRepository();
    const { path } = await make();
    const moved = { ...env, XDG_STATE_HOME: join(repository.folder, 'elsewhere') };
    expect((await make({ env: moved })).path).toBe(path);
    expect(await findRunWorktree({ folder: repository.folder, runId: 'run-1', env: moved })).toMatchObject({ path });
    expect(await findRunWorktree({ folder: repository.folder, runId: 'run-2', env })).toBeUndefined();
  });

  it('keeps uncommitted work when the project was moved', async () => {
    const { repository, make } = openRepository();
    const { path } = await make();
    writeFileSync(join(path, 'draft.txt'), 'not committed');
    const moved = `${repository.folder}-moved`;
    renameSync(repository.folder, moved);
    onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
    expect((await make({ folder: moved })).path).toBe(path);
    expect(execFileSync('git', ['-C', path, 'status', '--porcelain'], { encoding: 'utf8' }).trimEnd()).toBe(
      '?? draft.txt',
    );
  });

  it('is not taken for that of another project in the repository with a run of the same name', async () => {
    const { repository, env, make, request } = openRepository();
    repository.commit('apps/web/x.txt', 'x', 'Web');
    const { path } = await make();
    writeFileSync(join(path, 'draft.txt'), 'not committed');
    const folder = join(repository.folder, 'apps/web');
    expect(await makeRunWorktree(request({ folder }))).toMatchObject({ outcome: 'failed' });
    expect(await findRunWorktree({ folder, runId: 'run-1', env })).toBeUndefined();
    expect(existsSync(join(path, 'draft.txt'))).toBe(true);
  });

  it('is listed with what would be lost with it', async () => {
    const { repository, env, make, commitIn } = openRepository();
    for (const runId of ['run-1', 'run-2', 'run-3']) await make({ runId });
    const at = (runId: string) => join(runsFolder(repository.folder, env), runId);
    commitIn(at('run-2'), 'b.txt', 'b');
    writeFileSync(join(at('run-3'), 'draft.txt'), 'not committed');
    await make({ runId: 'run-4' });
    repository.git('-C', at('run-4'), 'checkout', '--quiet', '--detach');
    commitIn(at('run-4'), 'd.txt', 'd');
    repository.git('worktree', 'add', '--quiet', join(repository.folder, 'own/run-9')); // the user's
    expect(await listRunWorktrees({ folder: repository.folder, env })).toEqual([
      { runId: 'run-1', top: at('run-1') },
      { runId: 'run-2', top: at('run-2'), holds: 'devs/run-2 is not merged' },
      { runId: 'run-3', top: at('run-3'), holds: 'draft.txt is not committed there' },
      { runId: 'run-4', top: at('run-4'), holds: expect.stringMatching(/^its commit \w{10} is on no branch$/) },
    ]);
  });

  it('is never a work tree of the user, under any folder name', async () => {
    const { repository, env } = openRepository();
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'devs-theirs-')));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    const top = join(elsewhere, 'devs/worktrees/run-7');
    repository.git('worktree', 'add', '--quiet', '-b', 'mine', top);
    writeFileSync(join(top, 'draft.txt'), 'not committed');
    expect(await listRunWorktrees({ folder: repository.folder, env })).toEqual([]);
    await removeRunWorktree({ folder: repository.folder, runId: 'run-7', env, force: true });
    expect(readFileSync(join(top, 'draft.txt'), 'utf8')).toBe('not committed');
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
