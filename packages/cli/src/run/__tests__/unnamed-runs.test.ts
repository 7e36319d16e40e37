import { openStore, runEventOf, runStarted } from '@devs/core';
import { createMemoryBackend, createMemoryDisk } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { createWorld, noRuns, ROOT } from '../../__tests__/run-here.js';
import { createAppender } from './fake-runs.js';

const BLOG = '/home/anna/blog';
const WIKI = '/home/anna/wiki';
const DONE = { type: 'run.finished', outcome: 'done', detail: 'all of it' } as const;

const TEMPLATE = {
  name: 'feature',
  description: 'd',
  steps: [{ id: 'plan', type: 'action', instructions: 'Plan it' }],
} as unknown as Parameters<typeof runStarted>[0]['template'];

/** Projects with runs, and what was done elsewhere. */
function createProjects() {
  const elsewhere: { readonly folder: string; readonly args: readonly string[] }[] = [];
  const diffed: string[] = [];
  const merged: string[] = [];
  const world = createWorld({
    runs: {
      ...noRuns,
      async diff({ id }) {
        diffed.push(id);
        return { outcome: 'printed', text: '+cart\n' };
      },
      async merge({ id }) {
        merged.push(id);
        return { outcome: 'merged', into: 'main', commit: '0123456789', how: 'fast-forward' };
      },
      removeWorktree: async () => ({ outcome: 'removed', keptBranch: false }),
    },
    async runIn(folder, args) {
      elsewhere.push({ folder, args });
      return 0;
    },
  });
  let ids = 0;
  const addRun = async (root: string, id: string, ...more: Parameters<typeof runEventOf>[0][]) => {
    const file = `${root}/.devs/state.db`;
    const disk = world.disks.get(file) ?? createMemoryDisk();
    world.disks.set(file, disk);
    const store = openStore({ backend: createMemoryBackend(disk), clock: world.clock, newId: () => `c-${++ids}` });
    const plan = { request: `Do ${id}`, workflow: 'feature', agent: 'builtin', place: 'own', folder: root } as const;
    const start = runStarted({ template: TEMPLATE, source: { path: 'feature.yaml', digest: '0' } });
    await createAppender(store, id)([start, runEventOf({ type: 'run.prepared', ...plan }), ...more.map(runEventOf)]);
  };
  return { ...world, addRun, elsewhere, diffed, merged };
}

describe('a command about a run that was given no name', () => {
  it('means the newest of this project, though others have newer ones, and says which', async () => {
    const { devs, addRun, diffed, merged, elsewhere } = createProjects();
    await addRun(ROOT, 'run-old', DONE);
    await addRun(ROOT, 'run-new', { type: 'worktree.made', path: '/w', branch: 'devs/run-new' }, DONE);
    await addRun(BLOG, 'run-blog', DONE);

    expect(await devs(['diff'])).toEqual({
      exitCode: 0,
      stdout: '+cart\n',
      stderr: 'devs: run-new, the newest run here\n',
    });
    const { stdout } = await devs(['diff', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ run: 'run-new', patch: expect.stringContaining('+cart') });
    expect((await devs(['logs'])).stderr).toBe('devs: run-new, the newest run here\n');
    expect(await devs(['merge'])).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('devs: run-new, the newest run here\n'),
    });
    expect({ diffed, merged, elsewhere }).toEqual({
      diffed: ['run-new', 'run-new'],
      merged: ['run-new'],
      elsewhere: [],
    });
  });

  it('means that of the only other project where there is none here, and says so', async () => {
    const { devs, addRun, elsewhere } = createProjects();
    await addRun(BLOG, 'run-blog', DONE);
    expect(await devs(['diff'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `devs: run-blog, the newest run in ${BLOG}\n`,
    });
    await devs(['diff', '--json']);
    await devs(['merge', 'run-blog', '--json']);
    expect(elsewhere).toEqual([
      { folder: BLOG, args: ['diff', 'run-blog'] },
      { folder: BLOG, args: ['diff', 'run-blog', '--json'] },
      { folder: BLOG, args: ['merge', 'run-blog', '--json'] },
    ]);
  });

  it.each([[['diff']], [['logs']], [['resume']], [['diff', 'run-']]])(
    'asks where several projects fit: devs %j',
    async (args) => {
      const { devs, addRun, elsewhere } = createProjects();
      await addRun(BLOG, 'run-blog');
      await addRun(WIKI, 'run-wiki');
      const { exitCode, stderr } = await devs(args);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`  run-blog  in ${BLOG}\n  run-wiki  in ${WIKI}\n`);
      expect(elsewhere).toEqual([]);
    },
  );

  it('never merges the run of another project', async () => {
    const { devs, addRun, merged, elsewhere } = createProjects();
    await addRun(BLOG, 'run-blog', DONE);
    expect(await devs(['merge'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no run yet'),
    });
    expect([merged, elsewhere]).toEqual([[], []]);
  });

  it('does not merge a run that is not over', async () => {
    const { devs, addRun, merged } = createProjects();
    await addRun(ROOT, 'run-new');
    expect(await devs(['merge'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('run run-new is not over'),
    });
    expect(merged).toEqual([]);
  });
});

describe('devs resume without a name', () => {
  it('continues the run of another project there, where none is left here', async () => {
    const { devs, addRun, elsewhere } = createProjects();
    await addRun(ROOT, 'run-over', DONE);
    await addRun(BLOG, 'run-blog');
    expect(await devs(['resume'])).toMatchObject({
      exitCode: 0,
      stderr: `devs: continuing run-blog in ${BLOG}\n`,
    });
    expect(elsewhere).toEqual([{ folder: BLOG, args: ['resume', 'run-blog'] }]);
  });

  it('asks where several runs of the project are not over', async () => {
    const { devs, addRun } = createProjects();
    await addRun(ROOT, 'run-a');
    await addRun(ROOT, 'run-b');
    const { exitCode, stderr } = await devs(['resume']);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('  run-a  Do run-a\n  run-b  Do run-b\n'),
    });
  });

  it('says where nothing is left to continue', async () => {
    const { devs } = createProjects();
    expect(await devs(['resume'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no run is left to continue'),
    });
  });
});

describe('devs ls', () => {
  it('lists the runs of all projects, with how to bring their work home', async () => {
    const { done, json, addRun } = createProjects();
    const commits = { type: 'commits.observed', commits: [{ hash: 'a1', subject: 'Cart' }], left: [] } as const;
    await addRun(ROOT, 'run-cart', commits, DONE);
    await addRun(BLOG, 'run-blog', { type: 'run.paused', why: 'the user stopped it' });

    const text = await done('ls');
    expect(text).toContain(ROOT);
    expect(text).toContain('devs merge run-cart');
    expect(text).toContain(BLOG);
    expect(text).toContain('run-blog');
    expect((await json('ls')).projects).toMatchObject([
      { name: ROOT, runs: [{ id: 'run-cart', state: 'done' }] },
      { name: BLOG, runs: [{ id: 'run-blog', state: 'paused' }] },
    ]);
    expect((await json('ls', '--limit', '1')).projects[0].runs).toHaveLength(1);
  });

  it('says what to type where there is none', async () => {
    expect(await createProjects().done('ls')).toContain('No runs yet. Start one with `devs run "What to do"`.');
  });
});
