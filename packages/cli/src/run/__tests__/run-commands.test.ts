import { openStore, runEventOf } from '@devs/core';
import { createMemoryBackend } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { createWorld, ROOT } from '../../__tests__/run-here.js';
import { createAppender, createFakeRuns } from './fake-runs.js';

const WORKFLOW = 'name: feature\ndescription: d\nsteps: [{ id: plan, type: action, instructions: Plan it }]\n';
const WORKFLOWS = {
  find: async () => [{ name: 'feature', path: 'feature.yaml', shown: 'feature.yaml', origin: 'shipped' as const }],
  read: async () => WORKFLOW,
  waiting: async () => undefined,
  make: () => Promise.reject(new Error('no folder')),
};

function createRunWorld(...ending: Parameters<typeof createFakeRuns>) {
  const fake = createFakeRuns(...ending);
  const world = createWorld({ runs: fake.runs, workflowFiles: WORKFLOWS });
  let ids = 0;
  /** Stores events of a run as another process would. */
  const store = async (id: string, ...events: Parameters<typeof runEventOf>[0][]) => {
    const disk = world.disks.get(`${ROOT}/.devs/state.db`);
    if (disk === undefined) throw new Error('there is no store yet');
    const opened = openStore({
      backend: createMemoryBackend(disk),
      clock: world.clock,
      newId: () => `other-${++ids}`,
    });
    await createAppender(opened, id)(events.map(runEventOf));
  };
  /** Marks the run as supervised. */
  const hold = async (id: string) => {
    const backend = await world.records.open({ kind: 'project' }, 'existing');
    if (backend === undefined) throw new Error('there is no store');
    const { leases } = openStore({ backend, clock: world.clock, newId: () => 'x' });
    await leases.acquire({ name: `run:${id}`, by: 'anna@laptop (7)', leaseMs: 60_000 });
  };
  /** Begins a run that gets a work tree of its own. */
  const inWorktree: typeof fake.runs.start = async (order, following) => {
    const outcome = await fake.runs.start(order, following);
    await store('abc123', { type: 'worktree.made', path: '/w', branch: 'devs/abc123' });
    return outcome;
  };
  return { ...world, ...fake, store, hold, inWorktree };
}

describe('devs run', () => {
  it('takes a request to the end of its workflow', async () => {
    const { devs, requests } = createRunWorld();
    const { exitCode, stdout, stderr } = await devs(['run', 'Add', 'a', 'cart']);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'devs: the work tree lacks nothing\n' });
    expect(requests).toMatchObject([
      {
        agent: 'builtin',
        subject: {
          plan: { request: 'Add a cart', workflow: 'feature', agent: 'builtin', place: 'own', folder: ROOT },
          source: { digest: expect.stringMatching(/^[0-9a-f]{16}$/) },
        },
      },
    ]);
    expect(stdout).toContain('agent builtin, workflow feature: Add a cart');
    expect(stdout).toMatch(/Run abc123: done\nSee what happened with `devs report abc123`.\n$/);
  });

  it.each([
    [['nosuch', 'Add a cart'], 'there is no workflow nosuch. See what there is'],
    [['featre', 'Add', 'a', 'cart'], 'there is no workflow featre. Did you mean `feature`?'],
  ])('warns where the first of %j was probably meant as a workflow, and takes it as a word', async (words, warning) => {
    const { devs, requests } = createRunWorld();
    const { exitCode, stderr } = await devs(['run', ...words]);
    expect(stderr).toContain(`devs: ${warning}`);
    expect(stderr).toContain(`"${words[0]}" is taken as part of the request.`);
    expect({ exitCode, plan: requests[0]?.subject }).toMatchObject({
      exitCode: 0,
      plan: { plan: { workflow: 'feature', request: words.join(' ') } },
    });
  });

  it.each([
    [['Add a cart']],
    [['Add', 'a', 'cart']],
    [['feature', 'Add a cart']],
    [['Add a cart', 'and a till']],
    [['featre', 'Add a cart', '--workflow', 'feature']],
  ])('does not warn about %j', async (words) => {
    const { devs } = createRunWorld();
    expect((await devs(['run', ...words])).stderr).not.toContain('there is no workflow');
  });

  it('gives every event as a line of JSON, and the end as the last', async () => {
    const { devs } = createRunWorld();
    const { stdout } = await devs(['run', 'Add a cart', '--json']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

    expect(lines.map(({ type }) => type).slice(0, 3)).toEqual(['workflow.started', 'run.prepared', 'run.begun']);
    expect(lines.at(-1)).toEqual({ run: 'abc123', end: { status: 'finished', outcome: 'done', detail: '' } });
  });

  it('takes the flags for more than the file, and the file for more than the defaults', async () => {
    const { devs, files, requests } = createRunWorld();
    files.set(
      `${ROOT}/.devs/config.yaml`,
      'budget: { usd: 3, minutes: 5, price: { input: 3, output: 15 } }\nworktree: own\nparallel: 4\n',
    );
    await devs([
      'run',
      'x',
      '--here',
      '--max-usd',
      '7.5',
      '--observe',
      '--model',
      'm',
      '--set',
      'renewal.enabled=false',
    ]);

    expect(requests[0]?.settings).toMatchObject({
      worktree: 'here',
      observe: true,
      parallel: 4,
      budget: { usd: 7.5, minutes: 5 },
      renewal: { enabled: false },
      model: { name: 'm' },
    });
  });

  it.each([
    [['run'], 'missing request. Example: devs run'],
    [['run', 'feature'], 'missing request for the workflow feature. Example: devs run feature'],
    [['run', '--queue', 'Add a cart'], '--queue takes what to do from the queue'],
    [['run', '--resume', 'abc', 'Add a cart'], '--resume continues a run'],
    [['run', 'x', '--max-usd', 'much'], 'Give a number above 0'],
    [['run', 'x', '--parallel', '0'], 'Give a whole number from 1 to 64'],
    [['run', 'x', '--set', 'nonsense'], 'give a key and a value'],
    [['run', 'x', '--agnet', 'claude'], "unknown option '--agnet'"],
  ])('refuses %j and says what would do', async (argv, advice) => {
    const { devs, requests } = createRunWorld();
    const { exitCode, stderr } = await devs(argv);
    expect({ exitCode, begun: requests.length }).toEqual({ exitCode: 2, begun: 0 });
    expect(stderr).toContain(advice);
  });

  it.each([
    [
      ['run', 'x', '--agent', 'claude'],
      'the agent claude cannot be used: it is not installed. Install it. Or use another: --agent builtin.',
    ],
    [['run', 'x', '--agent', 'cluade'], "--agent: agent 'cluade' is not known (did you mean 'claude'?)"],
    [['run', 'x', '--workflow', 'featre'], 'featre'],
    [['run', 'x', '--set', 'renewal.enabld=false'], "did you mean 'enabled'?"],
    [['run', '--resume', 'abc'], 'there is no run yet'],
    [['run', 'x', '--max-usd', '5'], '--max-usd: budget.usd cannot be kept: what your model costs is not known'],
  ])('cannot do %j and says why', async (argv, advice) => {
    const { devs, requests } = createRunWorld();
    const { exitCode, stderr } = await devs(argv);
    expect({ exitCode, begun: requests.length }).toEqual({ exitCode: 1, begun: 0 });
    expect(stderr).toContain(advice);
  });

  it('refuses at once, with what to do, where the built-in agent has no model and no other is there', async () => {
    const { devs, runs, requests } = createRunWorld();
    const none = { kind: 'unusable', reason: 'it has no model', advice: 'set ANTHROPIC_API_KEY' } as const;
    const inspect = async () => [{ agent: 'builtin', inspection: none }];
    const own = { runs: { ...runs, inspect } };
    for (const argv of [
      ['run', 'x'],
      ['run', 'x', '--agent', 'builtin'],
      ['run', '--queue'],
    ]) {
      const { exitCode, stderr } = await devs(argv, own);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/it has no model\. Set ANTHROPIC_API_KEY\./);
    }
    expect(requests).toEqual([]);
    await devs(['run', 'Add a cart']);
    expect((await devs(['resume', 'abc123'], own)).stderr).toContain('it has no model');
  });

  it.each([
    [{ status: 'held', by: 'bob (7)', until: 0 }, 'bob (7) supervises this run already'],
    [
      { status: 'refused', reason: 'git is not there', advice: 'Install it.', runId: 'r' },
      'devs: git is not there. Install it.\n',
    ],
    [{ status: 'finished', outcome: 'done', detail: '' }, 'this run is over already'],
  ] as const)('says what is in the way: %j', async (outcome, message) => {
    const { devs, runs } = createRunWorld();
    const { exitCode, stderr } = await devs(['run', 'x'], { runs: { ...runs, start: async () => outcome } });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });

  it('is stopped by Ctrl-C, politely first, and then at once', async () => {
    const { devs, interrupt, stops } = createRunWorld(async (stopped) => {
      await stopped;
      await until(() => stops.length === 2);
      return { status: 'paused', why: 'you stopped it' };
    });
    const ended = devs(['run', 'Add a cart']);
    await until(() => interrupt());
    expect(interrupt()).toBe(true);
    const { exitCode, stdout, stderr } = await ended;

    expect({ exitCode, stops }).toEqual({ exitCode: 1, stops: [false, true] });
    expect(stderr).toContain('Ctrl-C again stops it at once');
    expect(stdout).toContain('Continue with `devs resume abc123`; nothing is lost.');
    expect(interrupt()).toBe(false);
  });

  it('that needs the user says what is asked', async () => {
    const escalation = { id: 'q1', question: 'Which currency?', diagnosis: 'The spec has none', at: 0 };
    const { devs } = createRunWorld(async () => ({ status: 'paused', why: 'needs you', escalation }));
    const { exitCode, stdout } = await devs(['run', 'Add a cart']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      'Run abc123 needs you: Which currency?\nBecause: The spec has none\nAnswer with `devs answer q1 "…"`',
    );
  });

  it.each([
    [{ outcome: 'removed', keptBranch: false } as const, ''],
    [{ outcome: 'refused', reason: 'a.txt is not committed there' } as const, 'stays: a.txt is not committed there.'],
  ])(
    'brings the work to the branch with --merge, records it, and removes the work tree (%j)',
    async (removal, told) => {
      const { devs, done, runs, inWorktree } = createRunWorld();
      const removed: string[] = [];
      const merging = {
        ...runs,
        start: inWorktree,
        merge: async () =>
          ({ outcome: 'merged', into: 'main', commit: '0123456789abcdef', how: 'fast-forward' }) as const,
        async removeWorktree(runId: string) {
          removed.push(runId);
          return removal;
        },
      };
      const { exitCode, stdout, stderr } = await devs(['run', 'x', '--merge'], { runs: merging });
      expect(exitCode).toBe(0);
      expect(stdout).toContain('Merged into main as 0123456789.');
      expect(stderr).toContain(told);
      expect(removed).toEqual(['abc123']);
      expect(await done('report')).toContain('into main, as 0123456789');
      const again = async () => ({ outcome: 'merged', into: 'main', commit: 'fedcba', how: 'nothing-new' }) as const;
      expect((await devs(['merge', 'abc123'], { runs: { ...runs, merge: again } })).stdout).toContain(
        'Merged before, into main as 0123456789.',
      );
    },
  );

  it('does not say that anything is merged where nothing was committed', async () => {
    const { devs, done, runs, inWorktree } = createRunWorld();
    const merging = {
      ...runs,
      start: inWorktree,
      merge: async () => ({ outcome: 'merged', into: 'main', commit: '0123456789', how: 'nothing-new' }) as const,
      removeWorktree: async () => ({ outcome: 'removed', keptBranch: false }) as const,
    };
    const { stdout } = await devs(['run', 'x', '--merge'], { runs: merging });
    expect(stdout).toContain('There is nothing to merge: nothing was committed.');
    expect(await done('report')).not.toContain('into main');
  });
});

const paused = async () => ({ status: 'paused', why: 'you stopped it' }) as const;

describe('runs that are there', () => {
  it('are continued with their original agent and flags', async () => {
    const { devs, files, requests } = createRunWorld(paused);
    files.set(`${ROOT}/.devs/config.yaml`, 'budget: { price: { input: 3, output: 15 } }\n');
    await devs(['run', 'Add a cart', '--max-usd', '3']);
    await devs(['resume', 'abc']);
    await devs(['run', '--resume', 'run-abc123', '--max-minutes', '5']);
    expect(requests.slice(1)).toMatchObject([
      { agent: 'builtin', subject: { runId: 'abc123' }, settings: { budget: { usd: 3 } } },
      { subject: { runId: 'abc123' }, settings: { budget: { usd: 3, minutes: 5 } } },
    ]);
  });

  it('[H26] are merged where they began with --merge, also after a resume that does not repeat it', async () => {
    let isStopped = true;
    const { devs, runs, inWorktree } = createRunWorld(async () =>
      isStopped ? { status: 'paused', why: 'you stopped it' } : { status: 'finished', outcome: 'done', detail: '' },
    );
    const merged: string[] = [];
    const merging = {
      ...runs,
      start: inWorktree,
      async merge({ id }: { readonly id: string }) {
        merged.push(id);
        return { outcome: 'merged', into: 'main', commit: '0123456789', how: 'fast-forward' } as const;
      },
      removeWorktree: async () => ({ outcome: 'removed', keptBranch: false }) as const,
    };
    await devs(['run', 'Add a cart', '--merge'], { runs: merging });
    expect(merged).toEqual([]);
    isStopped = false;
    await devs(['resume', 'abc'], { runs: merging });
    expect(merged).toEqual(['abc123']);
  });

  it('keep their work trees while they are not over, with `devs purge --worktrees`', async () => {
    const { devs, runs, done } = createRunWorld(paused);
    await devs(['run', 'Add a cart']);
    const removed: string[] = [];
    const own = {
      ...runs,
      worktrees: async () => ['run-1', 'abc123'].map((runId) => ({ runId, top: `/state/${runId}` })),
      async removeWorktree(runId: string) {
        removed.push(runId);
        return { outcome: 'removed', keptBranch: false } as const;
      },
    };
    const { stdout, exitCode } = await devs(['purge', '--worktrees', '--yes', '--json'], { runs: own });
    expect(JSON.parse(stdout)).toEqual({
      removed: ['/state/run-1'],
      kept: [{ path: '/state/abc123', why: 'abc123 is not over' }],
    });
    expect([exitCode, removed]).toEqual([0, ['run-1']]);
    expect(await done('report')).toContain('Add a cart'); // the records stay
  });

  it('are stopped by the supervisor', async () => {
    const { devs, runs } = createRunWorld(paused);
    await devs(['run', 'Add a cart']);
    const asked: string[] = [];
    const askToStop = async (run: string) => asked.push(run) > 0;
    const { stdout } = await devs(['stop', 'abc123'], { runs: { ...runs, askToStop } });
    expect(asked).toEqual(['abc123']);
    expect(stdout).toBe('Stopped run abc123. Continue with `devs resume abc123`.\n');
  });

  it('are paused by `devs stop` where their supervisor was killed', async () => {
    const { devs, done, store } = createRunWorld(paused);
    await devs(['run', 'Add a cart']);
    await store('abc123', { type: 'run.begun', by: 'anna', terminal: 'run-abc123' });
    expect(await done('stop', 'abc123')).toContain('was not running. Continue with');
    expect(await done('report')).toContain('stopped with `devs stop`');
  });

  it('are given up for good', async () => {
    const { devs, done } = createRunWorld(paused);
    await devs(['run', 'Add a cart']);
    expect(await done('stop', 'abc123', '--give-up')).toContain('Marked as abandoned');
    expect(await done('report')).toMatch(/^Run abc123: given up/);
    expect((await devs(['stop', 'abc123'])).stdout).toContain('is over already');
  });

  it('are in the overview, with what to type', async () => {
    const { devs, done, json, store } = createRunWorld(paused);
    await devs(['run', 'Add a cart']);
    const shown = await done();
    expect(shown).toMatch(/paused {7}abc123 {2}Add a cart/);
    expect(shown).toContain('↳ paused: you stopped it · devs resume abc123');
    await store('abc123', { type: 'run.begun', by: 'anna', terminal: 'run-abc123' });
    expect((await json()).projects[0].survey.runs).toMatchObject([
      { state: 'interrupted', advice: 'devs resume abc123' },
    ]);
  });

  it('ask, and are answered in the words of the user', async () => {
    const { devs, done, json, store } = createRunWorld(paused);
    await devs(['run', 'Add a cart']);
    await store('abc123', {
      type: 'escalation.raised',
      escalationId: 'q1',
      question: 'Which currency?',
      diagnosis: 'None is said',
    });

    expect(await done('answer')).toContain('Which currency?\n  None is said\n  devs answer q1 "…"');
    expect(await done()).toMatch(/needs you {4}abc123/);
    expect((await devs(['answer', 'q1'])).exitCode).toBe(2);
    expect(await done('answer', 'q1', 'Euro,', 'please')).toContain('Continue it with `devs resume abc123`');
    expect(await done('answer')).toContain(
      'Your answer is stored, and `devs resume abc123` brings it to the agent: Euro, please',
    );
    expect(await done('answer', 'q1', 'Dollar')).toContain('run abc123 is not supervised');
    expect(await done('report')).toMatch(/you said: Dollar\n {2}stored; the agent has not seen it yet/);
    await store('abc123', { type: 'escalation.settled', escalationId: 'q1', how: 'the agent was told' });
    expect(await json('answer')).toEqual({ questions: [] });
    expect((await devs(['answer', 'q1', 'Yen'])).stderr).toContain('there is no open question "q1". None is open.');
    expect(await done('report')).toMatch(/you said: Dollar\n {2}seen by the agent/);
  });

  it.each([
    ['seen', { type: 'escalation.settled', escalationId: 'q1', how: 'the agent was told' }, 0, 'Typed and seen: '],
    [
      'typed and not seen',
      { type: 'escalation.unanswered', escalationId: 'q1', isTyped: true, why: 'its own record does not show them' },
      1,
      'Typed and not seen: its own record does not show them. The question stays open.',
    ],
    [
      'not typed',
      { type: 'escalation.unanswered', escalationId: 'q1', isTyped: false, why: 'a dialog is open' },
      1,
      'Not typed: a dialog is open. The question stays open.',
    ],
  ] as const)('say what became of an answer: %s', async (_, event, exitCode, sentence) => {
    const { devs, done, json, store, hold } = createRunWorld(paused);
    await devs(['run', 'Add a cart']);
    await store('abc123', {
      type: 'escalation.raised',
      escalationId: 'q1',
      question: 'Which?\nA or B?',
      diagnosis: '',
    });
    await hold('abc123');
    const answering = devs(['answer', 'q1', 'Euro']);
    await untilAsync(async () => (await json('report')).escalations[0].answer === 'Euro');
    expect((await devs(['answer', 'q1', 'Dollar'])).stderr).toContain('another answer is on its way');
    await store('abc123', event);

    const answered = await answering;
    expect(answered).toMatchObject({ exitCode, stdout: expect.stringContaining(sentence) });
    if (exitCode === 0) return expect(await json('answer')).toEqual({ questions: [] });
    expect((await json('answer')).questions).toMatchObject([{ id: 'q1', unseen: { answer: 'Euro' } }]);
    expect(await done('answer')).toContain('Which?\n  A or B?\n  Your answer was');
    expect(await done()).toMatch(/needs you.*\n.*your answer was/);
    expect(await done('report')).toContain(event.why);
  });

  it('are found again after the list of them was kept beside the log', async () => {
    const { devs, done, store } = createRunWorld(paused);
    await devs(['run', 'Add a cart']);
    for (let count = 0; count < 600; count++)
      await store('abc123', { type: 'stuck.noticed', kind: 'no-progress', detail: 'x' });
    expect(await done()).toContain('abc123');
    await store('abc123', { type: 'run.finished', outcome: 'done', detail: 'late' });
    expect(await done()).not.toContain('abc123');
    expect(await done('report', '--json')).toContain('"kind":"done"');
  });
});

describe('devs report', () => {
  it('is there for terminals, as Markdown and as JSON', async () => {
    const { devs, done, json } = createRunWorld();
    await devs(['run', 'Add a | cart']);
    expect(await done('report')).toMatch(/^Run abc123: done\n {2}request {7}Add a \| cart\n/);
    expect(await done('report', 'abc', '--markdown')).toMatch(
      /^# Run abc123: done\n\n- \*\*request\*\*: Add a \\\| cart\n/,
    );
    expect(await json('report')).toMatchObject({ id: 'abc123', outcome: { kind: 'done' }, request: 'Add a | cart' });
    expect((await devs(['report', 'zzz'])).stderr).toContain('there is no run "zzz". The newest are: abc123.');
    expect((await devs(['report', '--handoff', '1'])).stderr).toContain('there is no handoff 1');
  });

  it('shows text of several lines as several lines', async () => {
    const { devs, done, store } = createRunWorld(paused);
    await devs(['run', 'Add a cart']);
    const diagnosis = 'Its screen shows:\nMay I?\n❯ 1. Yes\n  2. No';
    await store('abc123', { type: 'escalation.raised', escalationId: 'q1', question: 'What now?', diagnosis });
    expect(await done('report')).toContain('  because: Its screen shows:\n  May I?\n  ❯ 1. Yes\n    2. No\n');
    expect(await done('report', '--markdown')).toContain('- because: Its screen shows:  \n  May I?  \n');
  });

  it('distinguishes a running run from an unsupervised one', async () => {
    const { devs, json, hold } = createRunWorld(() => Promise.reject(new Error('killed')));
    await devs(['run', 'Add a cart']);
    expect(await json('report')).toMatchObject({ outcome: { kind: 'open', detail: 'it is not supervised' } });
    await hold('abc123');
    expect(await json('report')).toMatchObject({
      outcome: { kind: 'running', detail: 'supervised by anna@laptop (7)' },
    });
  });
});

async function untilAsync(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

/** Asks again and again: what is waited for happens in this process. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
