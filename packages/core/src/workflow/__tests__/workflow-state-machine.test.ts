import { describe, expect, it } from 'vitest';
import { loadWorkflowTemplateFromString, type Task, WorkflowInputError, WorkflowStateMachine } from '../index.js';

const LOOP = `
name: looped
description: A loop between two steps
loops:
  work:
    - id: code
      instructions: "Do {task.id}: {task.title} ({task.description})"
    - id: verify
      instructions: Verify {task.title}
      on_fail: skip
steps:
  - id: plan
    type: action
    instructions: Plan
  - id: work
    type: loop
  - id: review
    type: action
    instructions: Review
`;

const task = (id: string, more: Partial<Task> = {}): Task => ({ id, title: `Task ${id}`, status: 'pending', ...more });

function machineOn(yaml: string): WorkflowStateMachine {
  const machine = new WorkflowStateMachine(loadWorkflowTemplateFromString(yaml));
  machine.start();
  return machine;
}

/** At the first sub-step of the first task. */
function inLoop(...tasks: readonly Task[]): WorkflowStateMachine {
  const machine = machineOn(LOOP);
  machine.advance('planned');
  machine.setTasks('work', tasks);
  return machine;
}

const placeOf = (machine: WorkflowStateMachine) => {
  const { status, step, task: at, subStep } = machine.getStatus();
  return [status, step, at?.id, subStep].filter((part) => part !== undefined).join(' ');
};

const statusesOf = (machine: WorkflowStateMachine) =>
  machine.getState().tasks['work']?.map(({ id, status }) => `${id} ${status}`);

describe('a workflow', () => {
  it('goes through steps, tasks and sub-steps to its end', () => {
    const machine = inLoop(task('a'), task('b'));
    const places = [placeOf(machine)];
    while (machine.getState().status === 'running') {
      machine.advance('done');
      places.push(placeOf(machine));
    }
    expect(places).toEqual([
      'running work a code',
      'running work a verify',
      'running work b code',
      'running work b verify',
      'running review',
      'complete review',
    ]);
    expect(statusesOf(machine)).toEqual(['a done', 'b done']);
    expect(Object.keys(machine.getContext())).toEqual([
      'plan',
      'work.a.code',
      'work.a.verify',
      'work.b.code',
      'work.b.verify',
      'review',
    ]);
  });

  it('stays complete however often it is advanced', () => {
    const machine = machineOn('name: x\ndescription: y\nsteps:\n  - {id: a, type: action, instructions: Go}');
    machine.advance('1');
    expect(machine.advance('2')).toEqual(machine.advance('3'));
    expect(machine.getContext()).toEqual({ a: '1' });
  });

  it('repeats a ralph step n times, each with its own output', () => {
    const machine = machineOn('name: x\ndescription: y\nsteps:\n  - {id: r, type: ralph, n: 3, instructions: Refine}');
    expect(machine.advance('1').progress).toEqual({ step: 1, steps: 1, iteration: 2, iterations: 3 });
    machine.advance('2');
    machine.advance('3');
    expect(machine.getState()).toMatchObject({ status: 'complete', outputs: { 'r.1': '1', 'r.2': '2', 'r.3': '3' } });
  });

  it('[W6] fills in the task literally, its description too', () => {
    const machine = inLoop(task('$1', { title: 'cost $& {task.id}', description: "$' and {task.title}" }));
    expect(machine.getStatus().instructions).toBe("Do $1: cost $& {task.id} ($' and {task.title})");
  });

  it('[W6] leaves a missing description empty', () => {
    expect(inLoop(task('a')).getStatus().instructions).toBe('Do a: Task a ()');
  });

  it("[W7] keeps the outputs of a ralph step 'r' and of a step 'r.1' apart", () => {
    const machine = machineOn(`
name: x
description: y
steps:
  - {id: r, type: ralph, n: 1, instructions: Refine}
  - {id: r.1, type: action, instructions: Other}
`);
    machine.advance('of r');
    machine.advance('of r.1');
    expect(machine.getContext()).toEqual({ 'r.1': 'of r', 'r\\.1': 'of r.1' });
  });

  it('[W7] waits at a loop without tasks and refuses to advance it', () => {
    const machine = machineOn(LOOP);
    machine.advance('planned');
    expect(machine.getStatus().instructions).toContain("Call workflow_set_tasks with loopId 'work'");
    expect(() => machine.advance('x')).toThrow(WorkflowInputError);
    expect(() => machine.advance('x')).toThrow("Loop step 'work' has no tasks yet. Call workflow_set_tasks");
  });

  it('[W7] skips a loop with an empty list of tasks and says so', () => {
    const machine = inLoop();
    expect(placeOf(machine)).toBe('running review');
    expect(machine.getStatus().notices).toEqual(["Loop step 'work' was skipped: it has no tasks."]);
    expect(machine.advance('x').notices).toBeUndefined();
  });

  it('[W7] says so, too, when the empty list was set before the loop', () => {
    const machine = machineOn(LOOP);
    machine.setTasks('work', []);
    expect(machine.advance('planned')).toMatchObject({
      step: 'review',
      notices: ["Loop step 'work' was skipped: it has no tasks."],
    });
  });

  it('takes tasks that were set before the loop', () => {
    const machine = machineOn(LOOP);
    machine.setTasks('work', [task('a')]);
    machine.advance('planned');
    expect(placeOf(machine)).toBe('running work a code');
  });
});

describe('tasks that are set again in mid-loop', () => {
  it('[W7] leave the work where it is when its task is still there', () => {
    const machine = inLoop(task('a'), task('b'));
    machine.advance('coded');
    machine.setTasks('work', [task('z'), task('a', { title: 'New' }), task('b')]);
    expect(machine.getStatus()).toMatchObject({ task: { index: 1, id: 'a', title: 'New' }, subStep: 'verify' });
  });

  it('[W7] move the work on when its task is gone', () => {
    const machine = inLoop(task('a'), task('b'), task('c'));
    machine.advance('coded');
    machine.setTasks('work', [task('c')]);
    expect(machine.getStatus()).toMatchObject({
      task: { index: 0, id: 'c' },
      subStep: 'code',
      progress: { task: 1, tasks: 1 },
    });
  });

  it('never do a finished task again', () => {
    const machine = inLoop(task('a'), task('b'));
    machine.advance('coded');
    machine.advance('verified');
    machine.setTasks('work', [task('a'), task('b'), task('c')]);
    expect(statusesOf(machine)).toEqual(['a done', 'b in_progress', 'c pending']);
    machine.setTasks('work', [task('c')]);
    expect(statusesOf(machine)).toEqual(['a done', 'c in_progress']);
  });

  it('end the loop when nothing is left', () => {
    const machine = inLoop(task('a'));
    machine.setTasks('work', []);
    expect(placeOf(machine)).toBe('running review');
  });

  it('let a new dependency of the current task come first', () => {
    const machine = inLoop(task('a'));
    machine.setTasks('work', [task('a', { depends_on: ['b'] }), task('b')]);
    expect(placeOf(machine)).toBe('running work b code');
    expect(statusesOf(machine)).toEqual(['b in_progress', 'a pending']);
  });

  it('are refused for a loop that is over, or that there is not', () => {
    const machine = inLoop();
    expect(() => machine.setTasks('work', [task('a')])).toThrow("Loop step 'work' is finished");
    expect(() => machine.setTasks('wrk', [task('a')])).toThrow("There is no loop step 'wrk'; there is 'work'.");
  });
});

describe('dependencies', () => {
  it('[W8] put tasks in order, otherwise as given', () => {
    const machine = inLoop(
      task('c', { depends_on: ['a', 'b'] }),
      task('a'),
      task('b', { depends_on: ['a'] }),
      task('d'),
    );
    expect(statusesOf(machine)).toEqual(['a in_progress', 'b pending', 'c pending', 'd pending']);
  });

  it.each([
    ['a circle', [task('a', { depends_on: ['b'] }), task('b', { depends_on: ['a'] })], 'in a circle: a → b → a'],
    ['itself', [task('a', { depends_on: ['a'] })], 'in a circle: a → a'],
    ['a stranger', [task('a', { depends_on: ['x'] })], "task 'a' depends on 'x', which is not in the list"],
    ['two of a name', [task('a'), task('a')], "the id 'a' is there twice"],
    ['an empty id', [task(' ')], 'an id is 1 to 200 characters'],
    ['an empty title', [task('a', { title: '' })], "the title of 'a'"],
  ])('[W8] refuse %s', (_, tasks, message) => {
    const machine = machineOn(LOOP);
    expect(() => machine.setTasks('work', tasks)).toThrow(message);
    expect(machine.getState().tasks).toEqual({});
  });

  it('may be a chain of a thousand tasks', () => {
    const chain = Array.from({ length: 1_000 }, (_, n) =>
      task(`t${n}`, n === 999 ? {} : { depends_on: [`t${n + 1}`] }),
    );
    expect(placeOf(inLoop(...chain))).toBe('running work t999 code');
  });

  it('[W8] of a failed task give up what depends on it', () => {
    const machine = inLoop(task('a'), task('b', { depends_on: ['a'] }), task('c', { depends_on: ['b'] }), task('d'));
    machine.advance('coded');
    const status = machine.fail('no way');
    expect(placeOf(machine)).toBe('running work d code');
    expect(statusesOf(machine)).toEqual(['a failed', 'b failed', 'c failed', 'd in_progress']);
    expect(status.notices).toEqual([
      "Task 'a' (sub-step 'verify' of 'work') was skipped, because it failed: no way",
      "Task 'b' was given up: it depends on 'a', which failed.",
      "Task 'c' was given up: it depends on 'b', which failed.",
    ]);
  });
});

describe('a step that fails', () => {
  const failing = (policy: string) => `
name: x
description: y
steps:
  - {id: a, type: action, instructions: Try${policy}}
  - {id: b, type: action, instructions: Next}
`;

  it('[W8] fails the workflow where nothing else is said', () => {
    const machine = machineOn(failing(''));
    expect(machine.fail('broken')).toMatchObject({
      status: 'failed',
      failure: { at: 'a', reason: 'broken' },
      instructions: "The workflow has failed at 'a'. There is nothing left to do.",
    });
    expect(machine.advance('x').status).toBe('failed');
    expect(machine.getContextActionIfNeeded()).toBeNull();
  });

  it('[W8] is tried again as often as it says, then the workflow fails', () => {
    const machine = machineOn(failing(', on_fail: retry, retries: 2'));
    expect(machine.fail('one')).toMatchObject({ step: 'a', retry: { attempt: 2, attempts: 3, reason: 'one' } });
    expect(machine.fail('two')).toMatchObject({ step: 'a', retry: { attempt: 3, attempts: 3, reason: 'two' } });
    expect(machine.fail('three').failure?.reason).toBe("Step 'a' failed 3 times, the last time with: three");
  });

  it('restarts the count of attempts at the next position', () => {
    const machine = machineOn(failing(', on_fail: retry'));
    machine.fail('one');
    expect(machine.advance('done').retry).toBeUndefined();
  });

  it('[W8] is skipped where it says so', () => {
    const machine = machineOn(failing(', on_fail: skip'));
    expect(machine.fail('no')).toMatchObject({ step: 'b', notices: ["Step 'a' was skipped, because it failed: no"] });
    expect(machine.getContext()).toEqual({});
  });

  it("takes its loop step's word where a sub-step has none", () => {
    const machine = machineOn(`
name: x
description: y
loops:
  l:
    - {id: s, instructions: Do}
steps:
  - {id: l, type: loop, on_fail: retry, retries: 1}
`);
    machine.setTasks('l', [task('a')]);
    expect(machine.fail('one').retry).toEqual({ attempt: 2, attempts: 2, reason: 'one' });
    expect(machine.fail('two')).toMatchObject({ status: 'failed', failure: { at: 'l.a.s' } });
    expect(machine.getState().tasks['l']?.[0]?.status).toBe('failed');
  });

  it('asks for its context action again when it is tried again', () => {
    const machine = machineOn(failing(', on_fail: retry, context: clear'));
    machine.markContextActionExecuted();
    machine.fail('one');
    expect(machine.getContextActionIfNeeded()).toBe('clear');
  });
});

describe('an agent', () => {
  it('[W8] is shown with its tools and restrictions', () => {
    const machine = machineOn(`
name: x
description: y
agents:
  reviewer: {description: Reads only, tools: [Read], cannot: [edit files]}
steps:
  - {id: a, type: action, agent: reviewer, instructions: Look}
`);
    expect(machine.getStatus()).toMatchObject({
      agent: 'reviewer',
      agentConfig: { description: 'Reads only', tools: ['Read'], cannot: ['edit files'] },
    });
  });
});

describe('every position', () => {
  it('asks for its context action once, the next task and the first one too', () => {
    const machine = machineOn(LOOP.replace('type: loop', 'type: loop\n    context: compact'));
    machine.advance('planned');
    const asked: unknown[] = [];
    const settle = () => {
      asked.push(machine.getContextActionIfNeeded());
      machine.markContextActionExecuted();
      asked.push(machine.getContextActionIfNeeded());
    };
    settle();
    machine.setTasks('work', [task('a'), task('b')]);
    for (let n = 0; n < 4; n++) {
      settle();
      machine.advance('x');
    }
    settle();
    expect(asked).toEqual([...Array.from({ length: 5 }, () => ['compact', null]).flat(), null, null]);
  });

  it('has its own number, also when a step is retried', () => {
    const machine = machineOn(LOOP);
    const visits = [machine.getState().visit];
    machine.advance('planned');
    visits.push(machine.getState().visit);
    machine.setTasks('work', [task('a')]);
    visits.push(machine.getState().visit);
    machine.setTasks('work', [task('a'), task('b')]);
    visits.push(machine.getState().visit);
    expect(visits).toEqual([1, 2, 3, 3]);
  });
});

describe('a state that was saved', () => {
  it('continues from its position, as JSON too', () => {
    const machine = inLoop(task('a'), task('b'));
    machine.advance('coded');
    const saved = JSON.parse(JSON.stringify(machine.getState()));
    const again = WorkflowStateMachine.fromState(loadWorkflowTemplateFromString(LOOP), saved);
    expect(again.getState()).toEqual(machine.getState());
    expect(again.advance('x')).toEqual(machine.advance('x'));
  });

  it('of a step that the workflow does not have is refused', () => {
    const state = { ...machineOn(LOOP).getState(), step: 'gone' };
    expect(() => WorkflowStateMachine.fromState(loadWorkflowTemplateFromString(LOOP), state)).toThrow(
      "has no step 'gone'",
    );
  });
});
