import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { saveCheckpoint } from '../../checkpoint/save-checkpoint.js';
import { findRunWorktree } from '../find-run-worktree.js';
import { type KeepRequest, keepRunWork } from '../keep-run-work.js';
import { makeRunWorktree } from '../make-run-worktree.js';
import { type MergeRequest, mergeRun } from '../merge-run.js';
import { removeRunWorktree } from '../remove-run-worktree.js';
import { readRunCommits } from '../run-commits.js';
import { openRepository } from './open-repository.js';

const NODE = process.execPath;

function openRun() {
  const opened = openRepository();
  const { repository, env } = opened;
  const keep = (folder: string, changes: Partial<KeepRequest> = {}) =>
    keepRunWork({ folder, branch: 'devs/run-1', message: 'Left\n', env, ...changes });
  return {
    ...opened,
    keep,
    left: async (folder: string) => (await keep(folder)).left,
    merge: (worktree: string, changes: Partial<MergeRequest> = {}) =>
      mergeRun({ folder: repository.folder, branch: 'devs/run-1', worktree, checksPassed: true, env, ...changes }),
    remove: (runId = 'run-1') => removeRunWorktree({ folder: repository.folder, runId, env }),
    subjects: (ref: string) => repository.git('log', '--format=%s', ref).split('\n'),
  };
}

describe('the work done in a work tree', () => {
  it('is found again when the work tree has lost its link to git', async () => {
    const { make } = openRepository();
    const { path } = await make();
    writeFileSync(join(path, 'draft.txt'), 'hours of work');
    rmSync(join(path, '.git'));
    expect((await make({ wasMade: true })).path).toBe(path);
    expect(readFileSync(join(path, 'draft.txt'), 'utf8')).toBe('hours of work');
  });

  it('is not removed when git has forgotten the work tree', async () => {
    const { repository, make, request } = openRepository();
    const { path } = await make();
    writeFileSync(join(path, 'draft.txt'), 'hours of work');
    rmSync(join(repository.folder, '.git/worktrees/run-1'), { recursive: true });
    expect(await makeRunWorktree(request({ wasMade: true }))).toEqual({ outcome: 'damaged', path });
    expect(readFileSync(join(path, 'draft.txt'), 'utf8')).toBe('hours of work');
    rmSync(path, { recursive: true });
    expect((await make({ wasMade: true })).path).toBe(path);
  });

  it('is not removed when git is cancelled while it looks', async () => {
    const { repository, env, make, request } = openRepository();
    const { path } = await make();
    writeFileSync(join(path, 'draft.txt'), 'hours of work');
    const bin = join(repository.folder, '.git/slow');
    mkdirSync(bin);
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    // It answers in the project, and hangs in the work tree.
    const script = `case "$PWD" in *run-1) touch "${bin}/asked"; sleep 20;; *) exec "${real}" "$@";; esac`;
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const calledOff = new AbortController();
    const poll = setInterval(() => existsSync(join(bin, 'asked')) && calledOff.abort(), 20);
    onTestFinished(() => clearInterval(poll));
    const slow = { ...env, PATH: `${bin}:${env.PATH}` };
    expect(await makeRunWorktree(request({ env: slow, signal: calledOff.signal }))).toEqual({ outcome: 'cancelled' });
    expect(existsSync(join(path, 'draft.txt'))).toBe(true);
  });

  it('is not taken for that of a copy of the project', async () => {
    const { repository, env, make, request } = openRepository();
    const { path } = await make();
    writeFileSync(join(path, 'draft.txt'), 'hours of work');
    const folder = `${repository.folder}-copy`;
    cpSync(repository.folder, folder, { recursive: true });
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    expect(await findRunWorktree({ folder, runId: 'run-1', env })).toBeUndefined();
    await makeRunWorktree(request({ folder }));
    await removeRunWorktree({ folder, runId: 'run-1', force: true, env });
    expect(existsSync(join(path, 'draft.txt'))).toBe(true);
  });

  it('is cancelled, and not failed, when the user stops the setup', async () => {
    const { request, state } = openRun();
    const calledOff = new AbortController();
    const begun = join(state, 'begun');
    const setup = [[NODE, '-e', `fs.writeFileSync(${JSON.stringify(begun)}, ''); setInterval(() => {}, 1000)`]];
    const made = makeRunWorktree(request({ setup, signal: calledOff.signal }));
    await until(() => existsSync(begun));
    calledOff.abort();
    expect(await made).toEqual({ outcome: 'cancelled' });
  });

  it('is cancelled, and not failed, when the user stops it while git is at work', async () => {
    const { request } = openRun();
    const calledOff = new AbortController();
    const made = makeRunWorktree(request({ signal: calledOff.signal }));
    setImmediate(() => calledOff.abort());
    expect(await made).toEqual({ outcome: 'cancelled' });
  });
});

it('leaves a work tree of the user’s alone that is on a drive which is not there now', async () => {
  const { repository, make, request, state, remove } = openRun();
  const drive = join(state, 'drive');
  repository.git('worktree', 'add', '--quiet', join(drive, 'own'));
  renameSync(drive, `${drive}-away`);
  await makeRunWorktree(request({ setup: [[NODE, '-e', 'process.exit(1)']] })); // the next attempt starts over
  await make();
  expect(await remove()).toMatchObject({ outcome: 'removed' });
  renameSync(`${drive}-away`, drive);
  expect(repository.git('-C', join(drive, 'own'), 'status', '--porcelain')).toBe('');
});

describe('work on another branch', () => {
  it.each([['-b', 'feature'], ['--detach']])(
    'is brought to the branch of the run (git checkout %s)',
    async (...how) => {
      const { repository, make, commitIn, left, merge, subjects } = openRun();
      const { path, base } = await make();
      repository.git('-C', path, 'checkout', '--quiet', ...how);
      commitIn(path, 'b.txt', 'b');
      writeFileSync(join(path, 'c.txt'), 'c');
      expect(await left(path)).toEqual([]);
      expect(subjects('devs/run-1')).toEqual(['Left', 'Write b.txt', 'First']);
      const tip = repository.git('rev-parse', 'devs/run-1');
      expect(await merge(path, { tip })).toMatchObject({ outcome: 'merged', how: 'fast-forward', commit: tip });
      expect(base).not.toBe(tip);
    },
  );

  it.each([
    ['checked out', 'worktrees/run-1/HEAD', 'main is checked out, not devs/run-1'],
    ['named by that of the run', 'refs/heads/devs/run-1', 'it leads to refs/heads/main'],
  ])('of the user gets no commit of ours, though the agent has it %s', async (_, file, why) => {
    const { repository, make, commitIn, left } = openRun();
    const { path } = await make();
    commitIn(path, 'b.txt', 'b');
    const before = repository.git('rev-parse', 'main');
    writeFileSync(join(repository.folder, '.git', file), 'ref: refs/heads/main\n');
    writeFileSync(join(path, 'left.txt'), 'left');
    expect(await left(path)).toContainEqual({ what: 'left.txt', why: expect.stringContaining(why) });
    expect(repository.git('rev-parse', 'main')).toBe(before);
  });

  it('that does not continue from it is reported, and no merge is claimed', async () => {
    const { repository, env, make, commitIn, left, merge } = openRun();
    const { path, base } = await make();
    commitIn(path, 'a1.txt', 'a');
    repository.git('-C', path, 'checkout', '--quiet', '-b', 'feature', base);
    commitIn(path, 'b.txt', 'b');
    expect(await left(path)).toEqual([{ what: 'the commits of feature', why: 'devs/run-1 is not a part of them' }]);
    expect(await readRunCommits({ folder: path, base, tip: 'devs/run-1', env })).toMatchObject([
      { subject: 'Write a1.txt' },
    ]);
    expect(await merge(path)).toMatchObject({
      outcome: 'refused',
      reason: "the run's work is on feature, and not all on devs/run-1",
      advice: 'Merge it: git merge feature',
    });
    const tip = repository.git('rev-parse', 'feature');
    repository.git('-C', path, 'checkout', '--quiet', 'devs/run-1');
    expect(await merge(path, { tip })).toMatchObject({
      outcome: 'refused',
      reason: 'the commits of the run are not on devs/run-1',
    });
    expect(repository.git('rev-parse', 'main')).toBe(base);
  });
});

describe('a copied file', () => {
  it('keeps the links in it, which lead to the copy and not to the project', async () => {
    const { repository, make } = openRepository();
    mkdirSync(join(repository.folder, 'node_modules/@me'), { recursive: true });
    symlinkSync('../../src', join(repository.folder, 'node_modules/@me/p'));
    const { path } = await make({ copy: ['node_modules'] });
    expect(readlinkSync(join(path, 'node_modules/@me/p'))).toBe('../../src');
  });

  it('is written nowhere else through a link that is tracked', async () => {
    const { repository, state, make } = openRepository();
    const outside = join(state, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(repository.folder, 'conf'));
    repository.git('add', 'conf');
    repository.git('commit', '--quiet', '-m', 'Link');
    rmSync(join(repository.folder, 'conf'));
    repository.write('conf/.env', 'K=1');
    const { path, notes } = await make({ copy: ['conf/.env', 'conf'] });
    expect(existsSync(join(outside, '.env'))).toBe(false);
    expect(notes.join()).toMatch(/conf\/\.env was not copied: its folder is a link out of the work tree/);
    expect(readlinkSync(join(path, 'conf'))).toBe(outside);
  });

  it('may be a link to something in the project, and to nothing else', async () => {
    const { repository, state, make } = openRepository();
    repository.write('real.env', 'K=1');
    writeFileSync(join(state, 'theirs'), 'x');
    symlinkSync('real.env', join(repository.folder, '.env'));
    symlinkSync(join(state, 'theirs'), join(repository.folder, 'other.env'));
    const { path, notes } = await make({ copy: ['.env', 'other.env'] });
    expect(readFileSync(join(path, '.env'), 'utf8')).toBe('K=1');
    expect(existsSync(join(path, 'other.env'))).toBe(false);
    expect(notes.join()).toContain('other.env was not copied: it is a link to something outside the project');
  });

  it('is no work: it is not committed, not in the way of a merge, and removed with the work tree', async () => {
    const { repository, make, left, merge, remove, subjects } = openRun();
    repository.write('.env', 'K=1');
    repository.write('local/settings', 'x');
    const { path, notes } = await make({ copy: ['.env', 'local'] });
    expect(notes).toEqual(
      ['.env', 'local'].map((name) => expect.stringContaining(`${name} was copied though git does not`)),
    );
    writeFileSync(join(path, 'b.txt'), 'b');
    expect(await left(path)).toEqual([]);
    expect(repository.git('show', '--name-only', '--format=', 'devs/run-1')).toBe('b.txt');
    expect(await merge(path)).toMatchObject({ outcome: 'merged' });
    expect(subjects('main')).toEqual(['Left', 'First']);
    expect(await remove()).toEqual({ outcome: 'removed', keptBranch: false });
  });
});

describe('uncommitted work', () => {
  it('is reported with the reason: a possible secret, or no git author', async () => {
    const { repository, env, make, keep } = openRun();
    const { path } = await make();
    writeFileSync(join(path, 'server.pem'), 'x');
    expect(await keep(path)).toEqual({ left: [{ what: 'server.pem', why: 'secret' }] });
    writeFileSync(join(path, 'b.txt'), 'b');
    repository.git('config', '--unset', 'user.name');
    repository.git('config', '--unset', 'user.email');
    repository.git('config', 'user.useConfigOnly', 'true');
    const nobody = Object.fromEntries(Object.entries(env).filter(([name]) => !/^GIT_(AUTHOR|COMMITTER)/.test(name)));
    const { left, failure } = await keep(path, { env: nobody });
    const [b, pem] = left;
    expect(failure).toMatch(/git says: .*identity/i);
    expect(b).toMatchObject({ what: 'b.txt', why: expect.stringMatching(/git says: .*identity/i) });
    expect(pem?.what).toBe('server.pem');
  });

  it.each(['symbolic-ref', 'rev-parse --verify', 'log'])(
    'is unknown if git does not answer %s, and no one is accused of moving the branch',
    async (command) => {
      const { repository, env, make, keep } = openRun();
      const { path, base } = await make();
      writeFileSync(join(path, 'b.txt'), 'b');
      const bin = join(repository.folder, '.git/slow');
      mkdirSync(bin);
      const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
      const script = `case "$*" in *" ${command} "*) kill -9 $$;; *) exec "${real}" "$@";; esac`;
      writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const mute = { ...env, PATH: `${bin}:${env.PATH}` };
      const read = readRunCommits({ folder: path, base, tip: 'devs/run-1', env: mute });
      if (command === 'log') return expect(read).rejects.toThrow(/git does not say what devs\/run-1 has/);
      expect(await read).toEqual([]);
      expect(await keep(path, { env: mute })).toMatchObject({
        left: expect.arrayContaining([{ what: 'b.txt', why: expect.stringMatching(/^git says: /) }]),
        failure: expect.stringMatching(/^git says: /),
      });
    },
  );

  it('is nothing on a branch that is gone', async () => {
    const { env, make } = openRun();
    const { path, base } = await make();
    expect(await readRunCommits({ folder: path, base, tip: 'devs/gone', env })).toEqual([]);
  });

  it('by a check is not the work of the run', async () => {
    const { make, commitIn, merge } = openRun();
    const { path } = await make();
    commitIn(path, 'b.txt', 'b');
    writeFileSync(join(path, 'coverage.txt'), '90 %');
    expect(await merge(path)).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('coverage.txt') });
    expect(await merge(path, { left: [] })).toMatchObject({ outcome: 'merged' });
  });

  it('is there already after a merge that removed its branch, and missing where it was not merged', async () => {
    const { repository, make, commitIn, env, merge, remove } = openRun();
    const { path } = await make();
    commitIn(path, 'b.txt', 'b');
    const tip = repository.git('rev-parse', 'devs/run-1');
    expect(await merge(path, { tip })).toMatchObject({ outcome: 'merged', how: 'fast-forward' });
    await remove();
    const again = { folder: repository.folder, branch: 'devs/run-1', tip, checksPassed: true, env };
    expect(await mergeRun(again)).toMatchObject({ outcome: 'merged', how: 'nothing-new', commit: tip });
    repository.git('reset', '--quiet', '--hard', `${tip}^`);
    expect(await mergeRun(again)).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('are not on') });
  });

  it('in the folder of the user is no reason not to merge, unless it is in the way: then git says so', async () => {
    const { repository, make, commitIn, merge } = openRun();
    const { path } = await make();
    commitIn(path, 'b.txt', 'b');
    for (const name of ['x.txt', 'y.txt', 'b.txt']) repository.write(name, 'mine');
    const refused = await merge(path);
    expect(refused).toMatchObject({ outcome: 'refused', advice: 'Settle that, then: git merge devs/run-1' });
    expect(JSON.stringify(refused)).toMatch(/untracked working tree files would be overwritten by merge.*b\.txt/);
    rmSync(join(repository.folder, 'b.txt'));
    expect(await merge(path)).toMatchObject({ outcome: 'merged' });
  });
});

describe('a run that builds on others', () => {
  it('begins with their work, which is not its own', async () => {
    const { env, make, commitIn, subjects } = openRun();
    for (const runId of ['run-a', 'run-b']) commitIn((await make({ runId })).path, `${runId}.txt`, runId);
    const { path, base, notes } = await make({
      from: ['devs/run-a', 'refs/heads/devs/run-b', 'refs/heads/devs/run-gone'],
    });
    expect(existsSync(join(path, 'run-a.txt')) && existsSync(join(path, 'run-b.txt'))).toBe(true);
    expect(notes.join()).toContain('devs/run-gone is gone');
    commitIn(path, 'c.txt', 'c');
    const own = async (from: string) => readRunCommits({ folder: path, base: from, env });
    expect(await own(base)).toMatchObject([{ subject: 'Write c.txt' }]);
    expect((await make({ from: ['devs/run-a'], wasMade: true })).base).toBe(base);
    expect(subjects('main')).toEqual(['First']);
  });

  it('begins at the commit of the user where that has it all, and more', async () => {
    const { repository, make, commitIn } = openRun();
    commitIn((await make({ runId: 'run-a' })).path, 'a.txt', 'a');
    repository.git('merge', '--quiet', 'devs/run-a');
    const head = repository.commit('more.txt', 'more', 'More');
    expect((await make({ from: ['devs/run-a'] })).base).toBe(head);
  });

  it('is not begun where these do not go together, and can be when they do', async () => {
    const { repository, make, request, commitIn } = openRun();
    for (const runId of ['run-a', 'run-b']) commitIn((await make({ runId })).path, 'same.txt', runId);
    const from = ['devs/run-a', 'refs/heads/devs/run-b'];
    const conflict = { outcome: 'conflict', branch: 'devs/run-b', files: ['same.txt'] };
    expect(await makeRunWorktree(request({ from }))).toEqual(conflict);
    expect(repository.git('branch', '--list', 'devs/run-1')).toBe('');
    repository.git('merge', '--quiet', 'devs/run-a');
    repository.git('merge', '--quiet', '-s', 'ours', '-m', 'Settled', 'devs/run-b');
    const { path } = await make({ from });
    expect(readFileSync(join(path, 'same.txt'), 'utf8')).toBe('run-a');
  });
});

it('has checkpoints of its work where the repository had none before', async () => {
  const { make, env } = openRepository();
  const { path } = await make();
  writeFileSync(join(path, 'draft.txt'), 'hours of work');
  const request = { terminal: 'run-1', id: 'renewal', number: 1, message: 'Before the renewal' };
  expect(await saveCheckpoint(path, request, { env })).toMatchObject({ outcome: 'saved' });
});

describe('a branch that a command of another run has moved', () => {
  it('before the run began is put back to where the run begins', async () => {
    const { repository, make, base } = await openForeign();
    repository.write('.git/refs/heads/devs/run-1', `${repository.git('rev-parse', 'foreign')}\n`);
    const { path } = await make();
    expect(repository.git('-C', path, 'rev-parse', 'HEAD')).toBe(base);
    expect(existsSync(join(path, 'foreign.txt'))).toBe(false);
  });

  it.each([
    ['is not merged', () => {}],
    ['is not merged when the run has committed to it since', commitLater],
  ])('%s, and nothing is committed to it', async (_, after) => {
    const opened = await openForeign();
    const { repository, make, left, merge, commitIn, base } = opened;
    const { path } = await make();
    commitIn(path, 'own.txt', 'own');
    repository.write('.git/refs/heads/devs/run-1', `${repository.git('rev-parse', 'foreign')}\n`);
    after({ path, commitIn });
    writeFileSync(join(path, 'left.txt'), 'left');

    expect(await left(path)).toContainEqual({ what: 'left.txt', why: 'something else than git moved devs/run-1' });
    expect(await merge(path)).toMatchObject({ outcome: 'refused', reason: 'something else than git moved devs/run-1' });
    expect(repository.git('rev-parse', 'main')).toBe(base);
  });

  it('is not missed where git keeps no log', async () => {
    const { repository, make, merge, commitIn } = openRun();
    repository.git('config', 'core.logAllRefUpdates', 'false');
    const { path } = await make();
    commitIn(path, 'own.txt', 'own');
    expect(await merge(path)).toMatchObject({ outcome: 'merged' });
  });
});

const commitLater = ({ path, commitIn }: { path: string; commitIn(path: string, file: string, text: string): void }) =>
  commitIn(path, 'later.txt', 'later');

/** With a commit of another run, which is not of this one. */
async function openForeign() {
  const opened = openRun();
  const { repository } = opened;
  const base = repository.git('rev-parse', 'main');
  repository.git('checkout', '--quiet', '-b', 'foreign');
  repository.commit('foreign.txt', 'foreign', 'Foreign');
  repository.git('checkout', '--quiet', 'main');
  return { ...opened, base };
}
