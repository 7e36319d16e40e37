import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { gatherRunEvidence } from '../gather-run-evidence.js';
import { openRunRecord } from '../run-record.js';
import { startRun } from '../start-run.js';
import { openRunWorld, type RunWorld } from './run-world.js';

const NODE = process.execPath;

const observed = async (here: RunWorld, id: string) =>
  (await here.events(id)).findLast(({ type }) => type === 'commits.observed')?.data;

describe('the evidence of a run', () => {
  it('has what the agent committed on a branch of its own, without copied files and what a check left', async () => {
    const here = await openRunWorld({
      git: true,
      settings: {
        copy: ['local.txt'],
        sandbox: 'off', // which would allow the run's own branch only
        setup: [['git', 'checkout', '--quiet', '-b', 'feature']],
        checks: [[NODE, '-e', 'require("fs").writeFileSync("coverage.txt", "")']],
      },
    });
    writeFileSync(join(here.world.project, 'local.txt'), 'mine');
    const run = await here.start([
      { id: 'one', instructions: '@write a.txt' },
      { id: 'two', instructions: '@write b.txt' },
    ]);
    expect(await here.ended(run)).toMatchObject({ outcome: 'done', detail: 'the workflow is complete' });
    expect(here.git('diff', '--name-only', 'main', `devs/${run.id}`).split('\n')).toEqual(['a.txt', 'b.txt']);
    expect(await observed(here, run.id)).toMatchObject({
      commits: [{ subject: `What ${run.id} left uncommitted` }],
      left: [],
    });
  });

  it('says what is not on the branch on purpose, and why', async () => {
    const here = await openRunWorld({ git: true });
    const run = await here.start([{ id: 'one', instructions: '@write server.pem' }]);
    expect(await here.ended(run)).toMatchObject({
      outcome: 'done',
      detail: 'the workflow is complete; not on its branch: server.pem (secret)',
    });
    expect(await observed(here, run.id)).toMatchObject({ commits: [], left: [{ what: 'server.pem' }] });
  });

  it('is gathered after the agent has ended, so that nothing is written past it', async () => {
    const here = await openRunWorld({ git: true });
    await here.world.store.tasks.add([{ id: 'A', intent: 'Write' }]);
    const claim = await here.world.store.tasks.claim({ by: 'test', leaseMs: 60_000 });
    const fence = claim.status === 'claimed' ? claim.fence : 0;
    const atWork: number[] = [];
    const onEvent = ({ type }: StoredEvent) => {
      if (type === 'commits.observed') atWork.push(here.world.running().length);
    };
    const run = await here.start(
      [{ id: 'one', instructions: '@write a.txt' }],
      { onEvent },
      { task: { id: 'A', fence } },
    );
    expect(await here.ended(run)).toMatchObject({ outcome: 'done' });
    expect(atWork).toEqual([0]);
    const story = await here.world.store.log.read({ stream: 'task:A' });
    expect(story.map(({ type }) => type)).toEqual(['task.added', 'task.claimed', 'task.completed']); // never anybody else's
  });

  it.each([
    ['another branch is checked out', ['git', 'checkout', '--quiet', '-b', 'other', 'HEAD~1'], 'other is checked out'],
    ['a merge is under way', ['git', 'merge', '--no-commit', '--no-ff', 'side'], 'a merge is under way'],
  ])('is asked for, and the run is not done, where %s', async (_, setup, why) => {
    const here = await openRunWorld({ git: true, settings: { sandbox: 'off', setup: [setup] } });
    here.git('checkout', '--quiet', '-b', 'side');
    writeFileSync(join(here.world.project, 'side.txt'), 'side');
    here.git('add', '--all');
    here.git('commit', '--quiet', '-m', 'Side');
    here.git('checkout', '--quiet', 'main');
    here.git('commit', '--quiet', '--allow-empty', '-m', 'Second');
    const run = await here.start([{ id: 'one', instructions: '@write a.txt' }]);
    expect(await here.ended(run)).toMatchObject({
      status: 'paused',
      escalation: { diagnosis: expect.stringContaining(why) },
    });
    expect(readFileSync(join(run.status().worktree, 'a.txt'), 'utf8')).toBe('visit 1\n');
  });

  it('is asked for, and the run is not done, where git could not commit', async () => {
    const here = await openRunWorld({ git: true });
    here.git('config', '--unset', 'user.name');
    here.git('config', '--unset', 'user.email');
    here.git('config', 'user.useConfigOnly', 'true');
    const run = await here.start([{ id: 'one', instructions: '@write a.txt' }]);
    expect(await here.ended(run)).toMatchObject({
      status: 'paused',
      escalation: {
        question: 'The work of the run could not be committed. What should happen?',
        diagnosis: expect.stringMatching(new RegExp(`^Not on devs/${run.id}: a\\.txt \\(git says: .*identity`, 'i')),
      },
    });
    const calls = here.modelCalls();

    here.git('config', 'user.name', 'A');
    here.git('config', 'user.email', 'a@b');
    await here.answer(run, 'It has a name now.');
    const again = await here.resume(run.id);
    expect(await here.ended(again)).toMatchObject({ outcome: 'done', detail: 'the workflow is complete' });
    expect(here.git('diff', '--name-only', 'main', `devs/${run.id}`)).toBe('a.txt');
    expect(here.modelCalls()).toBe(calls);
  });

  it('is not stored where it was stopped while it was gathered', async () => {
    const here = await openRunWorld({ git: true });
    const run = await here.start([{ id: 'one', instructions: '@write a.txt @commit' }]);
    await here.ended(run);
    const before = await here.count(run.id, 'commits.observed');
    const record = openRunRecord(here.world.store.log, run.id, () => {});
    await record.read();
    const { worktree: path, branch = '' } = run.status();
    const folder = { path, branch, base: here.git('rev-parse', 'main'), notes: [] };
    const signal = AbortSignal.abort();
    await expect(
      gatherRunEvidence({ id: run.id, record, folder, parts: here.parts, commandMs: 1_000, signal }),
    ).rejects.toThrow();
    expect(await here.count(run.id, 'commits.observed')).toBe(before);
  });
});

it('a run whose work tree git has forgotten is not continued, and its work stays', async () => {
  const here = await openRunWorld({ git: true });
  const run = await here.start([
    { id: 'one', instructions: '@write a.txt' },
    { id: 'two', instructions: '@wait 1500 @write b.txt' },
  ]);
  await here.world.until('the second step', () => here.steps().includes('2'));
  await run.stop({ now: true });
  const { worktree } = run.status();
  rmSync(join(here.world.project, '.git/worktrees', run.id), { recursive: true });
  expect(await startRun({ ...here.parts, runId: run.id })).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining(`${worktree} holds the work of this run`),
  });
  expect(existsSync(join(worktree, 'a.txt'))).toBe(true);
  expect(readFileSync(join(worktree, 'a.txt'), 'utf8')).toBe('visit 1\n');
});
