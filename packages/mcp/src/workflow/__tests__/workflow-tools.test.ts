import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contextActionEvent, runStream } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { EVERY_FEATURE } from './every-feature.js';
import { type Call, createToolWorld } from './tool-world.js';

const TWO_STEPS = `
name: two
description: Two steps
steps:
  - { id: one, type: action, instructions: First, artefacts: true }
  - { id: two, type: action, instructions: Second, context: compact }
`;

const LOOP = `
name: loop
description: A loop that compacts
loops:
  work: [{ id: do, instructions: "Do {task.title}" }]
steps:
  - { id: work, type: loop, context: compact }
  - { id: end, type: action, instructions: End }
`;

const compact = {
  contextAction: '/compact',
  message: 'Please run `/compact` first, then call workflow_status again.',
  position: expect.any(String),
};
const tasks = [{ id: 'a', title: 'A' }];

describe('workflow_start', () => {
  it.each([
    ['  Make it faster  ', 'Make it faster'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), `${'x'.repeat(97)}...`],
    ['   ', undefined],
    [undefined, undefined],
  ])('keeps the summary %j as %j', async (summary, kept) => {
    const devs = createToolWorld(TWO_STEPS).startServer();
    expect((await devs('workflow_start', summary === undefined ? {} : { summary })).summary).toBe(kept);
  });

  it('continues the existing run', async () => {
    const world = createToolWorld(TWO_STEPS);
    const devs = world.startServer();
    await devs('workflow_start', { summary: 'first' });
    await devs('workflow_advance', { output: 'done' });
    expect(await devs('workflow_start', { summary: 'second' })).toMatchObject({ step: 'two', summary: 'first' });
  });

  it('begins a new run when it is asked to and the last one is over', async () => {
    const devs = createToolWorld(TWO_STEPS).startServer();
    const { position } = await devs('workflow_start');
    await expect(devs('workflow_start', { restart: true })).rejects.toThrow("The workflow 'two' is at step 'one'");
    await devs('workflow_fail', { reason: 'cannot' });
    expect(await devs('workflow_start')).toMatchObject({ status: 'failed', failure: { at: 'one', reason: 'cannot' } });
    expect(await devs('workflow_start', { restart: true })).toMatchObject({ status: 'running', step: 'one' });
    await expect(devs('workflow_advance', { position })).rejects.toMatchObject({ code: 'POSITION_UNKNOWN' });
  });

  it('refuses a workflow with mistakes, and names them all', async () => {
    const devs = createToolWorld('name: x\nsteps: []').startServer();
    await expect(devs('workflow_start')).rejects.toMatchObject({ code: 'WORKFLOW_INVALID' });
  });
});

describe('every tool', () => {
  it.each(['workflow_status', 'workflow_advance', 'workflow_context'])(
    'says where to begin before %s can work',
    async (name) => {
      const devs = createToolWorld(TWO_STEPS).startServer();
      await expect(devs(name)).rejects.toThrow('Workflow not started. Call workflow_start first.');
    },
  );

  it('[W3] works after a restart of the server', async () => {
    const world = createToolWorld(LOOP.replace(', context: compact', ''));
    await world.startServer()('workflow_start');
    expect(await world.startServer()('workflow_set_tasks', { loopId: 'work', tasks })).toMatchObject({ subStep: 'do' });
    expect(await world.startServer()('workflow_advance', { output: 'x' })).toMatchObject({ step: 'end' });
    expect(await world.startServer()('workflow_context')).toMatchObject({ outputs: { 'work.a.do': 'x' } });
    expect(await world.startServer()('workflow_status')).toMatchObject({ step: 'end' });
  });

  it('[W5] sees at once what another server on the same worktree did', async () => {
    const world = createToolWorld(TWO_STEPS);
    const [one, other] = [world.startServer(), world.startServer()];
    const { position } = await one('workflow_start');
    writeFileSync(join(world.worktree, 'made.txt'), '');
    await other('workflow_register_artefacts', { paths: ['made.txt'] });
    const [first, second] = await Promise.all([
      one('workflow_advance', { output: 'mine', position }),
      other('workflow_advance', { output: 'yours', position }),
    ]);
    expect([first, second]).toEqual([compact, compact]);
    const { outputs, artefacts } = (await one('workflow_context')) as { outputs?: object; artefacts?: unknown };
    expect(Object.keys(outputs ?? {})).toEqual(['one']);
    expect(artefacts).toEqual([join(world.worktree, 'made.txt')]);
  });
});

describe('a context action without a supervisor', () => {
  it('[W1] is requested once, by the first tool called', async () => {
    const first: Record<string, (devs: Call) => Promise<unknown>> = {
      workflow_start: (devs) => devs('workflow_start'),
      workflow_status: (devs) => devs('workflow_status'),
      workflow_set_tasks: (devs) => devs('workflow_set_tasks', { loopId: 'work', tasks }),
    };
    for (const [name, ask] of Object.entries(first)) {
      const world = createToolWorld(LOOP);
      // The answer of the first start never arrives.
      const lost = world.startServer({ deliver: () => Promise.reject(new Error('lost')) });
      await expect(lost('workflow_start')).rejects.toThrow('lost');
      const devs = world.startServer();
      expect(await ask(devs), name).toEqual(compact);
      expect(await devs('workflow_status'), name).toMatchObject({ status: 'running', step: 'work' });
      expect(await devs('workflow_status'), name).toMatchObject({ status: 'running', step: 'work' });
    }
  });

  it('[W1] comes once after the tasks of the current loop were set', async () => {
    const devs = createToolWorld(LOOP).startServer();
    expect(await devs('workflow_start')).toEqual(compact);
    expect(await devs('workflow_set_tasks', { loopId: 'work', tasks })).toEqual(compact);
    expect(await devs('workflow_status')).toMatchObject({ subStep: 'do' });
    expect(await devs('workflow_advance', { output: 'x' })).toMatchObject({ step: 'end' });
  });

  it('is requested instead of advancing, if the agent has not seen it', async () => {
    const world = createToolWorld(TWO_STEPS);
    await world.startServer()('workflow_start');
    const lost = world.startServer({ deliver: () => Promise.reject(new Error('lost')) });
    await expect(lost('workflow_advance', { output: 'one' })).rejects.toThrow('lost');
    const devs = world.startServer();
    expect(await devs('workflow_advance', { output: 'one' })).toEqual(compact);
    expect(await devs('workflow_status')).toMatchObject({ step: 'two' });
  });
});

describe('the queue in the records', () => {
  async function withRecords() {
    const world = createToolWorld(TWO_STEPS);
    const { tasks: queue } = world.open();
    await queue.add(['setup', 'deploy'].map((id) => ({ id, intent: `Do ${id}` })));
    const held = async (id: string) => {
      const claim = await queue.claim({ by: 'test', leaseMs: 60_000, id });
      if (claim.status !== 'claimed') throw new Error(claim.status);
      return { id, fence: claim.fence };
    };
    await queue.complete({ ...(await held('setup')), result: 'It is set up.' });
    await queue.block({ ...(await held('deploy')), reason: 'no key' });
    return world.startServer();
  }
  const context = {
    recent_history: [expect.objectContaining({ task_id: 'setup', status: 'completed', result: 'It is set up.' })],
    active_blockers: [{ task_id: 'deploy', intent: 'Do deploy', reason: 'no key' }],
  };

  it('comes with the first step, and with the step after a context action, and not with every look', async () => {
    const devs = await withRecords();
    expect(await devs('workflow_start')).toMatchObject({ step: 'one', context });
    expect(await devs('workflow_status')).not.toHaveProperty('context');
    await devs('workflow_advance', { output: 'one' });
    expect(await devs('workflow_status')).toMatchObject({ step: 'two', context });
  });

  it('comes with the answer to an advance', async () => {
    const world = createToolWorld(TWO_STEPS.replace(', context: compact', ''));
    const { tasks: queue } = world.open();
    await queue.add([{ id: 'deploy', intent: 'Deploy' }]);
    const claim = await queue.claim({ by: 'test', leaseMs: 60_000, id: 'deploy' });
    if (claim.status === 'claimed') await queue.block({ id: 'deploy', fence: claim.fence, reason: 'no key' });
    const devs = world.startServer();
    await devs('workflow_start');
    expect(await devs('workflow_advance', { output: 'one' })).toMatchObject({
      step: 'two',
      context: { recent_history: [], active_blockers: [{ task_id: 'deploy', reason: 'no key' }] },
    });
    expect(await devs('workflow_advance', { output: 'two' })).not.toHaveProperty('context');
  });
});

describe('a step behind a context action', () => {
  async function asked() {
    const devs = createToolWorld(TWO_STEPS).startServer();
    await devs('workflow_start');
    return { devs, answer: await devs('workflow_advance', { output: 'one' }) };
  }

  it.each([
    ['workflow_advance', { output: 'one, once more' }],
    ['workflow_fail', { reason: 'cannot' }],
  ])('is not ended by %s without a position before its instructions were shown', async (name, input) => {
    const { devs } = await asked();
    await expect(devs(name, input)).rejects.toMatchObject({
      code: 'POSITION_UNSEEN',
      message: expect.stringContaining("instructions of step 'two' were not shown yet"),
    });
    expect(await devs('workflow_context')).toMatchObject({ outputs: { one: 'one' } });
  });

  it('is ended without a position once workflow_status has shown it', async () => {
    const { devs } = await asked();
    await expect(devs('workflow_advance', { output: 'too early' })).rejects.toThrow('call workflow_status');
    expect(await devs('workflow_status')).toMatchObject({ step: 'two', instructions: 'Second' });
    expect(await devs('workflow_advance', { output: 'two' })).toMatchObject({ status: 'complete' });
  });

  it('is ended by a caller that passes the position of that answer', async () => {
    const { devs, answer } = await asked();
    const { position } = answer;
    expect(await devs('workflow_advance', { output: 'two', position })).toMatchObject({ status: 'complete' });
  });

  it('is not ended after a supervisor went away in the middle of the action', async () => {
    const world = createToolWorld(TWO_STEPS);
    const store = world.open();
    const devs = world.startServer();
    const { position = '' } = await devs('workflow_start');
    const name = runStream(position.slice(0, position.indexOf('.')));
    await store.leases.acquire({ name, by: 'supervisor', leaseMs: 1_000 });
    await devs('workflow_advance', { output: 'one' });
    const performed = contextActionEvent(2, { type: 'context-action.performed', attempt: 1, how: 'command' });
    await store.log.append(name, await store.log.version(name), [performed]);
    world.clock.advance(2_000);
    await expect(devs('workflow_advance', { output: 'x' })).rejects.toMatchObject({ code: 'POSITION_UNSEEN' });
    expect(await devs('workflow_status')).toMatchObject({ step: 'two' });
    expect(await devs('workflow_advance', { output: 'two' })).toMatchObject({ status: 'complete' });
  });
});

describe('a request that is repeated', () => {
  it('[W10] with its position changes nothing and gets the same answer', async () => {
    const devs = createToolWorld(TWO_STEPS).startServer();
    const { position } = await devs('workflow_start');
    expect(await devs('workflow_advance', { output: 'once', position })).toEqual(compact);
    expect(await devs('workflow_advance', { output: 'twice', position })).toEqual(compact);
    const status = await devs('workflow_status');
    const done = await devs('workflow_advance', { output: 'end', ...position2(status) });
    expect(await devs('workflow_advance', { output: 'again', ...position2(status) })).toEqual(done);
    expect(await devs('workflow_context')).toMatchObject({ outputs: { one: 'once', two: 'end' } });
    expect(await devs('workflow_advance', { output: 'late', position })).toMatchObject({
      status: 'complete',
      notices: [expect.stringContaining('nothing was changed')],
    });
  });

  it('[W10] is refused for a position that never was', async () => {
    const devs = createToolWorld(TWO_STEPS).startServer();
    const { position } = await devs('workflow_start');
    const next = position?.replace(/\d+$/, '2');
    for (const wrong of ['', 'x', '1', `x.${position}`, `${position}.5`, next]) {
      await expect(devs('workflow_advance', { position: wrong }), wrong).rejects.toMatchObject({
        code: 'POSITION_UNKNOWN',
      });
    }
  });
});

const position2 = ({ position }: { readonly position?: string | undefined }) => ({ position });

describe('a context action under a supervisor', () => {
  async function supervised() {
    const world = createToolWorld(TWO_STEPS);
    const store = world.open();
    const devs = world.startServer();
    const { position = '' } = await devs('workflow_start');
    const id = position.slice(0, position.indexOf('.'));
    const held = await store.leases.acquire({ name: runStream(id), by: 'supervisor', leaseMs: 1_000 });
    const append = async (...events: Parameters<typeof contextActionEvent>[1][]) => {
      const version = await store.log.version(runStream(id));
      return store.log.append(
        runStream(id),
        version,
        events.map((event) => contextActionEvent(2, event)),
      );
    };
    return { world, store, devs, held, append, waiting: await devs('workflow_advance', { output: 'one' }) };
  }

  it('[W2] is not done before it was seen to happen', async () => {
    const { devs, append, waiting, world } = await supervised();
    expect(waiting).toMatchObject({ contextAction: '/compact', performedBy: 'supervisor' });
    expect(waiting.message).toContain('End your turn now');
    expect(await devs('workflow_status')).toEqual(waiting);
    expect(await devs('workflow_advance', { output: 'too early' })).toEqual(waiting);
    await append({ type: 'context-action.performed', attempt: 1, how: 'command' });
    expect(await devs('workflow_status')).toEqual(waiting);
    await append({ type: 'context-action.observed', evidence: 'compact_boundary' });
    expect(await devs('workflow_status')).toMatchObject({ step: 'two' });
    expect((await world.history()).filter((event) => event.startsWith('context-action.requested'))).toHaveLength(1);
  });

  it('[W2] that was abandoned lets the work continue, and the status says so', async () => {
    const { devs, append } = await supervised();
    await append({ type: 'context-action.abandoned', reason: 'it was never seen to happen' });
    expect(await devs('workflow_status')).toMatchObject({
      step: 'two',
      notices: ['The context action of this step was given up: it was never seen to happen'],
    });
  });

  it('that may have happened before the supervisor went away is not asked for again', async () => {
    const { world, devs, append } = await supervised();
    await append({ type: 'context-action.performed', attempt: 1, how: 'command' });
    world.clock.advance(2_000);
    const { step, notices } = await devs('workflow_status');
    expect(step).toBe('two');
    expect(notices?.join(' ')).toContain('run /compact now');
  });

  it('accepts the same statement twice', async () => {
    const { devs, append } = await supervised();
    await append({ type: 'context-action.observed', evidence: 'compact_boundary' });
    expect(await devs('workflow_advance', { output: 'one' })).toMatchObject({ status: 'complete' });
  });

  it('is asked of the agent when the supervisor is gone', async () => {
    const { world, devs } = await supervised();
    world.clock.advance(2_000);
    expect(await devs('workflow_status')).toEqual(compact);
    expect(await devs('workflow_status')).toMatchObject({ step: 'two' });
  });

  it('is asked for by the supervisor that came after the position was reached', async () => {
    const world = createToolWorld(LOOP);
    const lost = world.startServer({ deliver: () => Promise.reject(new Error('lost')) });
    await expect(lost('workflow_start')).rejects.toThrow('lost');
    const store = world.open();
    const [opened] = await store.log.read({ stream: 'worktree:test' });
    await store.leases.acquire({ name: runStream(String(opened?.data['run'])), by: 's', leaseMs: 1_000 });
    expect(await world.startServer()('workflow_status')).toMatchObject({ performedBy: 'supervisor' });
    expect(await world.history()).toEqual(['workflow.started', 'context-action.requested 1']);
  });
});

describe('workflow-state.json', () => {
  const fileIn = (worktree: string) => join(worktree, 'workflow-state.json');

  it('holds the state for other tools', async () => {
    const world = createToolWorld(TWO_STEPS);
    const devs = world.startServer();
    await devs('workflow_start', { summary: 'for others' });
    await devs.flush();
    expect(JSON.parse(readFileSync(fileIn(world.worktree), 'utf8'))).toMatchObject({
      status: 'running',
      step: 'one',
      summary: 'for others',
      contextActionExecuted: false,
      workflow: 'two',
    });
  });

  it.each([
    ['damaged', '{"step": "one", "st', 'damaged'],
    ['empty', '', 'damaged'],
    ["another program's", '{"step":"one","status":"running"}', 'before'],
  ])('[W4] that is %s is kept under another name, and the workflow continues from the log', async (_, text, kept) => {
    const world = createToolWorld(TWO_STEPS.replace(', context: compact', ''));
    const before = world.startServer();
    await before('workflow_start');
    await before('workflow_advance', { output: 'done' });
    await before.flush();
    writeFileSync(fileIn(world.worktree), text);

    const devs = world.startServer();
    const { step, notices } = await devs('workflow_status');
    await devs.flush();
    const name = readdirSync(world.worktree).find((file) => file.startsWith(`workflow-state.json.${kept}-`)) ?? '';
    expect(step).toBe('two');
    expect(notices).toEqual([expect.stringContaining(name)]);
    expect(readFileSync(join(world.worktree, name), 'utf8')).toBe(text);
    expect(JSON.parse(readFileSync(fileIn(world.worktree), 'utf8'))).toMatchObject({ step: 'two' });
  });

  it('[W4] that is damaged while the server runs is kept, too', async () => {
    const world = createToolWorld(TWO_STEPS.replace(', context: compact', ''));
    const devs = world.startServer();
    await devs('workflow_start');
    await devs.flush();
    writeFileSync(fileIn(world.worktree), 'oops');
    await devs('workflow_advance', { output: 'x' });
    await devs.flush();
    expect((await devs('workflow_status')).notices).toEqual([expect.stringContaining('was damaged')]);
  });
});

describe('the definition of a running workflow', () => {
  it('does not change with the file, and the status reports the difference', async () => {
    const world = createToolWorld(TWO_STEPS);
    await world.startServer()('workflow_start');
    writeFileSync(world.workflowPath, TWO_STEPS.replaceAll('First', 'Other'));
    expect(await world.startServer()('workflow_status')).toMatchObject({
      instructions: 'First',
      notices: [expect.stringContaining('has changed since the run began')],
    });
  });
});

describe('workflow_context', () => {
  it('[W9] gives the newest outputs within its budget and says what it left out', async () => {
    const world = createToolWorld(EVERY_FEATURE.replaceAll(/^ +context: \w+\n/gm, '').replace('n: 2', 'n: 30'));
    const devs = world.startServer();
    await devs('workflow_start');
    await devs('workflow_advance', { output: 'p'.repeat(40_000) });
    await devs('workflow_set_tasks', { loopId: 'build', tasks: [] });
    for (let n = 0; n < 30; n++) await devs('workflow_advance', { output: `${n} `.repeat(500) });
    const context = (await devs('workflow_context', { budget: 2_000 })) as {
      outputs?: Record<string, string>;
      leftOut?: string[];
      shortened?: string[];
    };
    expect(Object.keys(context.outputs ?? {}).at(-1)).toBe('refine.30');
    expect(JSON.stringify(context.outputs).length).toBeLessThan(10_000);
    expect(context.leftOut).toContain('plan');
    expect(Object.keys(context.outputs ?? {}).length + (context.leftOut?.length ?? 0)).toBe(31);
    expect(await devs('workflow_context', { filter: 'plan', budget: 100_000 })).toEqual({
      outputs: { plan: 'p'.repeat(40_000) },
      artefacts: [],
    });
    expect(await devs('workflow_context', { filter: 'nope' })).toMatchObject({
      message: expect.stringContaining("Nothing is under 'nope'. There is: plan"),
    });
  });
});

describe('workflow_register_artefacts', () => {
  it('takes files of the worktree only, by their absolute paths, once', async () => {
    const world = createToolWorld(TWO_STEPS);
    const devs = world.startServer();
    await devs('workflow_start');
    const file = join(world.worktree, 'a.txt');
    writeFileSync(file, '');
    symlinkSync('/etc', join(world.worktree, 'link'));
    expect(await devs('workflow_register_artefacts', { paths: ['a.txt', file] })).toMatchObject({ artefacts: [file] });
    expect(await devs('workflow_register_artefacts', { paths: ['./a.txt'] })).toMatchObject({ artefacts: [file] });
    for (const paths of [['../x'], ['/etc/hosts'], ['link/hosts'], ['missing.txt']]) {
      await expect(devs('workflow_register_artefacts', { paths })).rejects.toMatchObject({ code: 'PATHS_INVALID' });
    }
  });
});

describe('handoff_write', () => {
  it('stores a handoff, before a run too', async () => {
    const world = createToolWorld(TWO_STEPS);
    const devs = world.startServer();
    expect(await devs('handoff_write', { text: ' Go on with B. ', conversation: 'c1' })).toEqual({
      stored: true,
      characters: 13,
    });
    const [event] = await world.open().log.read({ stream: 'worktree:test' });
    expect(event).toMatchObject({ type: 'handoff.written', data: { text: 'Go on with B.', conversation: 'c1' } });
    expect(existsSync(join(world.worktree, 'workflow-state.json'))).toBe(false);
  });
});

describe('task_list', () => {
  it("lists the project's tasks", async () => {
    const world = createToolWorld(TWO_STEPS);
    await world.open().tasks.add([{ id: 'a', intent: 'Fix it' }]);
    expect(await world.startServer()('task_list')).toMatchObject({
      total: 1,
      tasks: [{ id: 'a', intent: 'Fix it', status: 'pending' }],
    });
  });
});

describe('what looks like a secret', () => {
  const key = (letters: string) => `sk-ant-api03-${letters.repeat(10)}`;

  it('is refused as the id of a task, and nothing is stored', async () => {
    const world = createToolWorld(LOOP.replace(', context: compact', ''));
    const devs = world.startServer();
    await devs('workflow_start');
    const list = ['V1StGXR8_Z5jdHi6B-myT', 'Uakgb_J5m9g-0JDMbcJqL'].map((id) => ({ id, title: id }));
    await expect(devs('workflow_set_tasks', { loopId: 'work', tasks: list })).rejects.toMatchObject({
      code: 'WORKFLOW_UNFIT',
      message: expect.stringContaining('looks like a secret'),
    });
    expect(await devs('workflow_set_tasks', { loopId: 'work', tasks })).toMatchObject({ subStep: 'do' });
  });

  it('in a text that is just short enough does not break the run', async () => {
    const world = createToolWorld(LOOP.replace(', context: compact', ''));
    const devs = world.startServer();
    await devs('workflow_start');
    const title = `password=Hunter2Go ${'x'.repeat(981)}`; // the placeholder is longer than the password
    await expect(devs('workflow_set_tasks', { loopId: 'work', tasks: [{ id: 'a', title }] })).rejects.toMatchObject({
      code: 'TASKS_INVALID',
    });
    expect(await world.startServer()('workflow_status')).toMatchObject({ status: 'running' });
  });

  it('is refused as the id of a step', async () => {
    const steps = ['aB3x', 'Zq9k'].map((letters) => `  - { id: ${key(letters)}, type: action, instructions: Go }`);
    const devs = createToolWorld(`name: x\ndescription: y\nsteps:\n${steps.join('\n')}\n`).startServer();
    await expect(devs('workflow_start')).rejects.toMatchObject({ code: 'WORKFLOW_UNFIT' });
  });

  it('is left out of instructions, and the first status says so', async () => {
    const world = createToolWorld(TWO_STEPS.replace('First', `Use ${key('aB3x')}`));
    const { instructions, notices } = await world.startServer()('workflow_start');
    expect(instructions).toContain('[redacted:');
    expect(notices).toEqual([expect.stringContaining('look like secrets')]);
  });
});

describe('arguments that no tool has', () => {
  it('are refused, not dropped', async () => {
    const devs = createToolWorld(TWO_STEPS).startServer();
    await devs('workflow_start');
    await expect(devs('workflow_advance', { outputs: 'precious' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
    await expect(devs('workflow_set_tasks', { tasks: [] })).rejects.toThrow('loopId must be the id of a loop step');
    expect(await devs('workflow_status')).toMatchObject({ step: 'one' });
  });
});

describe('the size of an answer', () => {
  it('[W9] is bounded, however long the reason of a failure is', async () => {
    const devs = createToolWorld(TWO_STEPS).startServer();
    await devs('workflow_start');
    const answer = await devs('workflow_fail', { reason: 'no luck '.repeat(20_000) });
    expect(JSON.stringify(answer).length).toBeLessThan(5_000);
  });

  it('[W9] names fifty of the outputs that it left out, and says how many there are', async () => {
    const world = createToolWorld(
      'name: x\ndescription: y\nsteps:\n  - {id: r, type: ralph, n: 300, instructions: Go}',
    );
    const devs = world.startServer();
    await devs('workflow_start');
    for (let n = 0; n < 299; n++) await devs('workflow_advance', { output: 'word '.repeat(100) });
    const context = await devs('workflow_context', { budget: 50 });
    expect(JSON.stringify(context).length).toBeLessThan(3_000);
    expect(context).toMatchObject({ leftOutCount: 298 });
  });
});

describe('a store that was emptied', () => {
  it('is noticed, and the workflow can be restarted', async () => {
    const world = createToolWorld(TWO_STEPS);
    const devs = world.startServer();
    const { position } = await devs('workflow_start');
    world.emptyStore();
    await expect(devs('workflow_advance', { position })).rejects.toThrow('Workflow not started.');
    expect(await devs('workflow_start')).toMatchObject({ step: 'one' });
  });
});

describe('a workflow file that cannot be read any more', () => {
  it('does not hinder a run, which keeps its definition', async () => {
    const world = createToolWorld(TWO_STEPS);
    const devs = world.startServer();
    await devs('workflow_start');
    rmSync(world.workflowPath);
    mkdirSync(world.workflowPath);
    expect(await devs('workflow_status')).toMatchObject({
      step: 'one',
      notices: [expect.stringContaining('has changed')],
    });
  });
});

describe('an ask that was heard', () => {
  it('is not repeated by a late request', async () => {
    const devs = createToolWorld(TWO_STEPS).startServer();
    const { position } = await devs('workflow_start');
    expect(await devs('workflow_advance', { position })).toEqual(compact);
    expect(await devs('workflow_advance', { position })).toEqual(compact);
    expect(await devs('workflow_status')).toMatchObject({ step: 'two' });
    expect(await devs('workflow_advance', { position })).toMatchObject({ step: 'two' });
  });
});

describe('workflow_list', () => {
  it('lists the file that the server was started with, too', async () => {
    const world = createToolWorld(TWO_STEPS);
    const devs = world.startServer();
    expect(await devs('workflow_list')).toEqual({
      workflows: [{ name: 'workflow', path: world.workflowPath, origin: 'given', description: 'Two steps' }],
    });
  });
});

describe('a supervisor that wants the agent to pause', () => {
  async function wanted() {
    const world = createToolWorld(
      'name: w\ndescription: d\nsteps:\n' +
        ['one', 'two', 'three'].map((id) => `  - {id: ${id}, type: action, instructions: Do it}\n`).join(''),
    );
    const store = world.open();
    const devs = world.startServer();
    const { position = '' } = await devs('workflow_start');
    const stream = runStream(position.slice(0, position.indexOf('.')));
    await store.leases.acquire({ name: stream, by: 'supervisor', leaseMs: 1_000 });
    const append = async (type: string) =>
      store.log.append(stream, await store.log.version(stream), [{ type, data: {} }]);
    await append('turn-end.wanted');
    return { world, devs, append, position };
  }

  it('tells it when its step is done, and not before', async () => {
    const { devs, append, position } = await wanted();
    expect(await devs('workflow_status')).toMatchObject({ step: 'one' });
    const paused = await devs('workflow_advance', { output: 'one', position });
    expect(paused).toMatchObject({ performedBy: 'supervisor', message: expect.stringContaining('End your turn now') });
    expect(paused).not.toHaveProperty('instructions');
    expect(await devs('workflow_advance', { output: 'one', position })).toEqual(paused);
    // A successor asks for the current position.
    expect(await devs('workflow_status')).toMatchObject({ step: 'two' });
    await append('turn-end.settled');
    expect(await devs('workflow_advance', { output: 'two' })).toMatchObject({ step: 'three' });
  });

  it('does not hold up an agent once it is gone', async () => {
    const { world, devs } = await wanted();
    world.clock.advance(2_000);
    expect(await devs('workflow_advance', { output: 'one' })).toMatchObject({ step: 'two' });
  });
});
