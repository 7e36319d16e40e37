import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AgentEvent, DEFAULT_SETTINGS, describeRun, foldRun } from '@devs/core';
import { describe, expect, it } from 'vitest';
import type { RunParts } from '../run.js';
import { startRun } from '../start-run.js';
import { IMPATIENT, newRun, openRunWorld } from './run-world.js';

const NODE = process.execPath;

describe('a run', () => {
  it('takes a workflow to its end in a worktree of its own, and leaves evidence', async () => {
    const here = await openRunWorld({
      git: true,
      settings: { checks: [[NODE, '-e', 'require("fs").readFileSync("b.txt")']] },
    });
    const run = await here.start([
      { id: 'plan', instructions: '@write a.txt @commit' },
      { id: 'build', instructions: '@write b.txt' },
    ]);
    expect(await here.ended(run)).toEqual({ status: 'finished', outcome: 'done', detail: 'the workflow is complete' });
    const events = await here.events(run.id);
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 3)).toEqual(['workflow.started', 'run.prepared', 'worktree.made']);
    expect(types.filter((type) => type === 'run.begun')).toHaveLength(1); // a quick agent has a step done by then
    expect(types.filter((type) => type === 'step.completed')).toHaveLength(2);
    expect(types.at(-1)).toBe('run.finished');
    const { worktree, totals, branch } = run.status();
    expect(worktree).toBe(join(here.world.project, '.devs/worktrees', run.id));
    expect(existsSync(join(worktree, 'a.txt'))).toBe(true);
    expect(existsSync(join(here.world.project, 'a.txt'))).toBe(false);
    expect(here.git('status', '--porcelain')).toBe('');
    expect(here.git('log', '--format=%s', `main..${branch}`).split('\n')).toHaveLength(2); // what was left is committed too
    expect(totals.turns).toBeGreaterThan(3);
    expect(totals.inputTokens).toBeGreaterThan(1_000);
    expect(here.world.running()).toEqual([]);
    const task = await here.world.store.tasks.get(run.id);
    expect(task).toMatchObject({ status: 'done', intent: 'Write the parser' });
    expect(task?.result).toMatch(/what came of visit 2[\s\S]*Commits: [\s\S]*Checks: .* passed/);
    expect((await here.world.store.state()).completed_tasks.at(-1)?.task_id).toBe(run.id);
    expect(await here.world.store.leases.get(`run:${run.id}`)).toBeUndefined();
  });

  it('tells the agent the request, what the records say, and the step', { tags: 'long' }, async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'only', instructions: 'Do this @write a.txt' }]);
    await here.ended(run);
    const [first] = here.world.prompts();
    expect(first).toMatch(
      /## TASK\nrun-\w+: Write the parser[\s\S]*It reads words\.[\s\S]*READ-ONLY CONTEXT[\s\S]*Do this @write/,
    );
    expect(here.world.starts()[0]?.system).toMatch(/workflow_advance/);
  });

  it('[W2] performs the context actions of its steps, and sends the step when they are seen to have happened', async () => {
    const here = await openRunWorld({ settings: { ledger: { enabled: false } } });
    const run = await here.start([
      { id: 'one', instructions: '@usage 40000' },
      { id: 'two', instructions: '@write two.txt', context: 'compact' },
      { id: 'three', instructions: '@write three.txt', context: 'clear' },
    ]);
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    const types = (await here.events(run.id)).map(({ type }) => type);
    for (const type of ['requested', 'performed', 'observed'])
      expect(
        types.filter((other) => other === `context-action.${type}`),
        type,
      ).toHaveLength(2);
    const conversations = new Set(here.world.starts().map(({ conversation }) => conversation));
    expect(conversations.size).toBe(1); // cleared by its command, not by a new process
    expect(here.world.prompts()).toHaveLength(3);
    const told = (text: RegExp) => here.world.prompts().filter((prompt) => text.test(prompt));
    expect(told(/has seen to `\/compact`[\s\S]*step 'two'/)).toHaveLength(1);
    expect(told(/## TASK[\s\S]*step 'three'/)).toHaveLength(1);
    expect(here.steps()).toEqual(['1', '2', '3']);
  });

  it('renews the agent when its context is full, and continues the workflow', async () => {
    const here = await openRunWorld();
    const run = await here.start([
      { id: 'one', instructions: '@usage 70000 @write one.txt @idle-once' },
      { id: 'two', instructions: '@usage 3000 @write two.txt' },
    ]);
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(here.world.starts().length).toBeGreaterThan(1);
    expect(here.world.notices.some(({ kind }) => kind === 'renewal-completed')).toBe(true);
    expect(await here.count(run.id, 'step.completed')).toBe(2);
  });

  it('is not renewed for a step that clears, nor when the workflow is at its end', { tags: 'long' }, async () => {
    // Its checks leave the idle agent there for a while.
    const here = await openRunWorld({ settings: { checks: [[NODE, '-e', 'setTimeout(() => {}, 1500)']] } });
    const run = await here.start([
      { id: 'one', instructions: '@usage 70000 @write one.txt' },
      { id: 'two', instructions: '@usage 70000 @write two.txt', context: 'clear' },
    ]);
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    const stream = await here.world.store.log.read({ stream: `terminal:${run.id}`, limit: 1_000 });
    expect(stream.filter(({ type }) => type === 'renewal.started')).toEqual([]);
    expect(here.world.starts()).toHaveLength(1);
  });

  it('leaves no handoff to a step that clears after a renewal, and tells it everything', { tags: 'long' }, async () => {
    const here = await openRunWorld();
    const run = await here.start([
      { id: 'one', instructions: '@usage 70000 @write one.txt @idle-once' },
      { id: 'two', instructions: '@usage 3000 @write two.txt', context: 'clear' },
    ]);
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    const systems = here.world.starts().map(({ system }) => system.includes('# Handoff'));
    expect(systems).toEqual([false, true, false]);
    expect(here.world.prompts().filter((text) => /## TASK[\s\S]*step 'two'/.test(text))).toHaveLength(1);
  });

  it('[H19] resumes an agent that crashes, in its own conversation', async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@crash-once @write one.txt' }]);
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    const starts = here.world.starts();
    expect(starts.map(({ resumed }) => resumed)).toEqual([false, true]);
    expect(readFileSync(join(here.world.project, 'one.txt'), 'utf8')).toBe('visit 1\n');
    expect(run.status().totals.turns).toBe(here.modelCalls()); // what it did before is read again, and not counted again
  });

  it('parks at a usage limit and continues after it', { tags: 'long' }, async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@limit-once 900 @write one.txt' }]);
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(here.world.notices.some(({ kind }) => kind === 'parked')).toBe(true);
    expect(await here.count(run.id, 'escalation.raised')).toBe(0);
  });

  it('asks an agent that stopped too early to continue', { tags: 'long' }, async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@idle-once @write one.txt' }]);
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(here.world.prompts()[1]).toMatch(/^\[devs\] The workflow is not finished/);
  });

  it('[H13] asks the user when the agent stops repeatedly, and continues with their words', {
    tags: 'long',
  }, async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@idle' }]);
    await here.world.until('an escalation', () => run.status().escalation !== undefined);
    expect(run.status()).toMatchObject({ state: 'escalated' });
    expect(run.status().escalation?.diagnosis).toMatch(/3 times/);
    await here.answer(run, 'Take the second way.');
    await here.world.until('the answer', () =>
      here.world.prompts().some((text) => text.includes('Take the second way.')),
    );
    await here.world.until('it to be settled', async () => (await here.count(run.id, 'escalation.settled')) === 1);
    await here.world.until('a second escalation', () => run.status().escalation !== undefined);
  });

  it("passes the agent's question to the user, once, and delivers their answer", async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@write one.txt @ask-once Which parser?' }]);
    await here.world.until('an escalation', () => run.status().escalation !== undefined);
    expect(run.status().escalation).toMatchObject({
      question: 'Which parser?',
      diagnosis: 'The agent ended its turn with this question.\nIts last words:\n> I need to know something.',
    });
    await here.answer(run, 'The second one.');
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(here.world.prompts().at(-1)).toMatch(/^The user answers:\n\nThe second one\./);
  });

  it('[H20] leaves a dialog to the user, asks them, and continues once they have answered', {
    tags: 'long',
  }, async () => {
    const here = await openRunWorld({ timing: IMPATIENT });
    const run = await here.start([{ id: 'one', instructions: '@dialog-once @write one.txt' }]);
    await here.world.until('an escalation', () => run.status().escalation !== undefined);
    const host = await here.parts.openHost();
    const [hosted] = await host.list();
    if (hosted === undefined) throw new Error('no terminal');
    await host.write(hosted, '2');
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    host.close();
  });

  it('keeps a question open whose answer was typed and is not in the record of the agent', {
    tags: 'long',
  }, async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@write one.txt @ask-once Which parser?' }]);
    await here.world.until('an escalation', () => run.status().escalation !== undefined);
    here.behave('deaf');
    await here.answer(run, 'The first one.');
    await here.world.until('a question without its answer', () => run.status().escalation?.unseen !== undefined);
    expect(run.status()).toMatchObject({
      state: 'escalated',
      escalation: { question: 'Which parser?', unseen: { answer: 'The first one.', isTyped: true } },
    });
    expect(await here.count(run.id, 'escalation.settled')).toBe(0);
    here.behave('');
    await here.answer(run, 'The second one.');
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(here.world.prompts().filter((text) => text.startsWith('The user answers'))).toHaveLength(1);
  });

  it('keeps a question open where a dialog takes no words, and types nothing', { tags: 'long' }, async () => {
    const here = await openRunWorld({ timing: IMPATIENT });
    const run = await here.start([{ id: 'one', instructions: '@dialog-once @write one.txt' }]);
    await here.world.until('an escalation', () => run.status().escalation !== undefined);
    await here.answer(run, 'Yes.');
    await here.world.until('a question without its answer', () => run.status().escalation?.unseen !== undefined);
    expect(run.status().escalation?.unseen).toMatchObject({ answer: 'Yes.', isTyped: false });
    expect(here.world.prompts().some((text) => text.includes('Yes.'))).toBe(false);
    await run.stop({ now: false });
    const again = await here.resume(run.id);
    await here.world.until('the answer', () => here.world.prompts().some((text) => text.includes('Yes.')));
    expect(await here.ended(again)).toMatchObject({ status: 'finished', outcome: 'done' });
  });

  it('offers no question that was answered when it is stopped', { tags: 'long' }, async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@write one.txt @ask-once Which parser?' }]);
    await here.world.until('an escalation', () => run.status().escalation !== undefined);
    await here.answer(run, 'The second one.');
    await run.stop({ now: false });
    expect(await here.ended(run)).toEqual({ status: 'paused', why: 'the user stopped it' });
  });

  it('[H20] shows the dialog of an agent that is ended for it, and how to allow it', { tags: 'long' }, async () => {
    const here = await openRunWorld({ timing: IMPATIENT });
    const run = await here.start([{ id: 'one', instructions: '@dialog-once @write one.txt' }], {
      onEscalation: 'pause',
    });
    const end = await here.ended(run);
    const { diagnosis } = (end.status === 'paused' && end.escalation) || { diagnosis: '' };
    expect(diagnosis).toMatch(/Do you want to proceed\?\n❯ 1\. No, exit\n\s+2\. Yes\n[\s\S]*allowed beforehand/);
    expect(diagnosis).not.toMatch(/attach/i);
  });

  it('notices that the same call fails again and again, and asks the user the second time', {
    tags: 'long',
  }, async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@fail-call 3 @idle' }]);
    await here.world.until('an escalation', () => run.status().escalation !== undefined);
    expect(await here.count(run.id, 'stuck.noticed')).toBe(1);
    expect(run.status().escalation?.diagnosis).toMatch(/npm test/);
    expect(here.world.prompts()[1]).toMatch(/npm test.*failed 3 times/);
  });

  it('pauses when a budget is reached, and continues with a larger one', { tags: 'long' }, async () => {
    const here = await openRunWorld({ settings: { budget: { tokens: 5_000, day: {} } } });
    const run = await here.start([
      { id: 'one', instructions: '@usage 9000 @write one.txt @idle-once' },
      { id: 'two', instructions: '@write two.txt' },
    ]);
    const end = await here.ended(run);
    expect(end).toMatchObject({ status: 'paused' });
    expect(here.world.running()).toEqual([]);
    const again = await here.resume(run.id, { settings: { ...here.parts.settings, budget: { day: {} } } });
    expect(await here.ended(again)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(here.world.starts().map(({ resumed }) => resumed)).toEqual([false, true]);
  });

  it('counts each model call once, also over a stop and a resume [H14]', { tags: 'long' }, async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@idle-once @write one.txt' }]);
    await here.world.until('the first turn', () => here.steps().length > 0 && run.status().totals.turns > 0);
    await run.stop({ now: false });
    const again = await here.resume(run.id);
    await here.ended(again);
    const calls = here.modelCalls();
    expect(again.status().totals.turns).toBe(calls);
  });

  it('counts unread output of an agent when it is ended [H14]', { tags: 'long' }, async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@write one.txt' }], { driver: slowReader(here.parts) });
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(here.modelCalls()).toBeGreaterThan(0);
    expect(run.status().totals.turns).toBe(here.modelCalls());
  });

  it('[W8] fails where its workflow fails, or a check does not pass', { tags: 'long' }, async () => {
    const failing = await openRunWorld();
    const run = await failing.start([{ id: 'one', instructions: '@give-up' }]);
    expect(await failing.ended(run)).toMatchObject({ status: 'finished', outcome: 'failed' });
    const checked = await openRunWorld({ settings: { checks: [[NODE, '-e', 'process.exit(4)']] } });
    const second = await checked.start([{ id: 'one', instructions: '@write a.txt' }]);
    expect(await checked.ended(second)).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('ended with 4'),
    });
    expect(await checked.world.store.tasks.get(second.id)).toMatchObject({ status: 'failed' });
  });

  it('with a live supervisor is left alone, and says whose it is', { tags: 'long' }, async () => {
    const here = await openRunWorld();
    const run = await here.start([{ id: 'one', instructions: '@idle' }], { by: 'the first' });
    const second = await startRun({ ...here.parts, by: 'the second', runId: run.id });
    expect(second).toMatchObject({ status: 'held', by: 'the first' });
    expect(await startRun({ ...here.parts, runId: 'run-none' })).toEqual({ status: 'unknown-run' });
  });

  it('has its folder to itself, in both modes of supervision; a second one is paused and says why', {
    tags: 'long',
  }, async () => {
    const here = await openRunWorld({ settings: { observe: true } });
    const run = await here.start([{ id: 'one', instructions: '@idle' }], { by: 'the first' });
    const settings = { ...here.parts.settings, observe: false };
    const other = newRun(here.template([{ id: 'one', instructions: '@idle' }]), here.world.project, false, {});
    const refused = await startRun({ ...here.parts, ...other, settings } as never);
    expect(refused).toMatchObject({
      status: 'refused',
      reason: `${run.id} is at work in this folder, supervised by the first`,
    });
    const id = (refused as { runId?: string }).runId ?? '';
    expect(describeRun(foldRun(id, await here.events(id)), false)).toMatchObject({
      state: 'paused',
      waits: `paused: another run had the folder: ${run.id}`,
      advice: `devs resume ${id}`,
    });
    expect(await startRun({ ...here.parts, settings, runId: run.id })).toMatchObject({
      status: 'held',
      by: 'the first',
    });
  });

  it('leaves a task that cannot be started, for any request', async () => {
    const here = await openRunWorld();
    const request = `${'Write the parser\u0007 \ud83d '.repeat(200)}\nIt reads words.`;
    const run = await here.start([{ id: 'one', instructions: '@write a.txt' }], {}, { request });
    expect(await here.ended(run)).toMatchObject({ status: 'finished', outcome: 'done' });
    const stored = await here.world.store.log.read({ stream: `task:${run.id}`, limit: 10 });
    expect(stored.map(({ type }) => type)).toEqual(['task.added', 'task.blocked', 'task.completed']);
  });

  it('is stopped and resumed in its own conversation; when it is finished there is nothing to resume', async () => {
    const here = await openRunWorld({ git: true });
    const run = await here.start([
      { id: 'one', instructions: '@write one.txt @commit' },
      { id: 'two', instructions: '@wait 1500 @write two.txt @commit' },
    ]);
    await here.world.until('the second step', () => here.steps().includes('2'));
    await run.stop({ now: false });
    expect(await run.done).toEqual({ status: 'paused', why: 'the user stopped it' });
    expect(here.world.running()).toEqual([]);
    const again = await here.resume(run.id);
    expect(await here.ended(again)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(here.world.starts().map(({ resumed }) => resumed)).toEqual([false, true]);
    expect(readFileSync(join(again.status().worktree, 'one.txt'), 'utf8')).toBe('visit 1\n');
    expect(await startRun({ ...here.parts, runId: run.id })).toMatchObject({ status: 'finished', outcome: 'done' });
  });

  it('is told by a failed setup which variables the command did not get', { tags: 'long' }, async () => {
    const needsToken = [NODE, '-e', 'process.exit(process.env.GITHUB_TOKEN === undefined ? 3 : 0)'];
    const here = await openRunWorld({ git: true, settings: { setup: [needsToken] } });
    const { place, settings } = here.parts;
    const env = { ...place.env, GITHUB_TOKEN: 'ghp_5Yx2Qw8Zr4Tn6Vb1Mk9Lp3Hj7Gf0Ds2Ac4Xe' };
    const withToken = { place: { ...place, env } };
    const sandboxed = { ...settings.sandboxed, pass: ['GITHUB_TOKEN'] };

    await expect(here.start([{ id: 'one', instructions: 'Do it' }], withToken)).rejects.toThrow(
      'It did not get GITHUB_TOKEN',
    );
    const run = await here.start([{ id: 'one', instructions: 'Do it' }], {
      ...withToken,
      settings: { ...settings, sandboxed },
    });
    expect(await here.ended(run)).toMatchObject({ outcome: 'done' });
  });

  it('that is cancelled while it is being prepared is paused, and resumed', { tags: 'long' }, async () => {
    const here = await openRunWorld({ git: true, settings: { setup: [[NODE, '-e', 'setTimeout(() => {}, 60_000)']] } });
    const stop = new AbortController();
    const subject = newRun(here.template([{ id: 'one', instructions: '@write a.txt' }]), here.world.project, true, {});
    const starting = startRun({ ...here.parts, ...subject, signal: stop.signal } as never);
    await here.world.until('the setup', () => existsSync(join(here.world.project, '.devs/worktrees')));
    stop.abort();
    const outcome = await starting;
    if (outcome.status !== 'cancelled') throw new Error(JSON.stringify(outcome));
    expect((await here.events(outcome.runId)).at(-1)).toMatchObject({ type: 'run.paused' });
    expect(here.world.starts()).toEqual([]);
    const again = await here.resume(outcome.runId, { settings: { ...here.parts.settings, setup: [] } });
    expect(await here.ended(again)).toMatchObject({ status: 'finished', outcome: 'done' });
  });

  it('that is lost while it is being prepared is lost, and does not stand still', { tags: 'long' }, async () => {
    const here = await openRunWorld({ git: true, settings: { setup: [[NODE, '-e', 'setTimeout(() => {}, 1_500)']] } });
    const leases = { ...here.parts.store.leases, renew: async () => false };
    const timing = { ...here.parts.timing, leaseMs: 900 };
    const run = await here.start([{ id: 'one', instructions: '@idle' }], {
      store: { ...here.parts.store, leases },
      timing,
    });
    expect(await here.ended(run)).toEqual({ status: 'lost', why: 'another supervisor has it now' });
  });

  it('needs a repository with a commit for a worktree of its own, and says what to do instead', async () => {
    const here = await openRunWorld();
    const outcome = await startRun({
      ...here.parts,
      ...newRun(here.template([{ id: 'one', instructions: '@idle' }]), here.world.project, true, {}),
    } as Parameters<typeof startRun>[0]);
    expect(outcome).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('git'),
      advice: expect.stringContaining('--here'),
    });
    expect(here.world.starts()).toEqual([]);
  });

  it('only measures where it is told to: what the agent stops at stays', { tags: 'long' }, async () => {
    const here = await openRunWorld({ settings: { observe: true } });
    const run = await here.start([{ id: 'one', instructions: '@idle-once @write one.txt' }]);
    await here.world.until('the first turn', () => here.steps().length > 0);
    await here.world.until('idle', () => run.status().terminals[0]?.state?.activity === 'idle');
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(here.world.prompts()).toHaveLength(1);
    expect(await here.world.store.leases.get(`run:${run.id}`)).toBeUndefined(); // the agent does its context actions itself
    expect(DEFAULT_SETTINGS.observe).toBe(false);
  });
});

/** Its records are told only to who asks for them, and that takes a while. */
function slowReader({ driver }: RunParts): RunParts['driver'] {
  return {
    ...driver,
    watch(request) {
      const grown: AgentEvent[] = [];
      const onEvent = (event: AgentEvent) => {
        if (event.type === 'conversation.grew') grown.push(event);
        else request.onEvent(event);
      };
      const watch = driver.watch({ ...request, onEvent });
      let isClosed = false;
      return {
        ...watch,
        async look() {
          await watch.look();
          await pause(300);
          if (!isClosed) for (const event of grown.splice(0)) request.onEvent(event);
        },
        close() {
          isClosed = true;
          watch.close();
        },
      };
    },
  };
}
