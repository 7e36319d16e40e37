import type { SupervisedChange, SupervisedNotice } from '@devs/server';
import type { RunNews, SupervisorPort, TerminalNews, TerminalStatus } from '@devs/supervisor';
import { describe, expect, it } from 'vitest';
import type { TerminalSurroundings } from '../../terminal/terminal-world.js';
import { createServedSupervisor } from '../served-supervisor.js';

const context = { identity: { scope: 'owner', name: 'test' }, signal: new AbortController().signal } as const;

/** A supervisor with one run, whose news a test changes. */
function createScene() {
  const started: unknown[] = [];
  const users: unknown[] = [];
  let news: RunNews = { revision: 1, run: 'abc', notes: [], notices: [], isOver: false, isLeft: false };
  const inRun = (status: TerminalStatus): TerminalNews => ({ ...news, name: status.name, status });
  const port = {
    runs: {
      list: async () => [news],
      wait: async (run: string) => (run === 'abc' ? news : undefined),
      stop: async () => false,
      async start(order: unknown, caller: unknown) {
        started.push({ order, caller });
        return { status: 'started', run: 'abc' };
      },
    },
    terminals: {
      list: async () => (news.status?.terminals ?? []).map((status) => inRun(status)),
      wait: async (name: string) => (news.status?.terminals ?? []).filter((own) => own.name === name).map(inRun)[0],
      async user(terminal: string, is: unknown) {
        users.push({ terminal, is });
      },
      send: async () => ({ status: 'of-run', run: 'abc' }),
    },
  } as unknown as SupervisorPort;
  const host = async () => {
    throw new Error('this test has no host');
  };
  return {
    started,
    users,
    served: createServedSupervisor({
      port,
      host,
      newId: () => 'id',
      own: { folder: '/', environment: {} },
      surroundings: async () => ({}) as TerminalSurroundings,
      callersOwn: () => {
        throw new Error('this test has no project');
      },
      projects: async () => ['/shop'],
    }),
    tell(more: Partial<RunNews>) {
      news = { ...news, revision: news.revision + 1, ...more };
    },
  };
}

const STATUS = {
  terminals: [
    {
      name: 'shop',
      agent: 'claude',
      folder: '/shop',
      isAttended: false,
      pressure: 0.4,
      mark: 'low',
      renewal: 'idle',
      contextRefreshState: null,
      contextRefreshCount: 2,
      isReplacing: false,
      needs: { kind: 'answer', detail: 'a permission' },
      notes: [],
    },
  ],
} as unknown as NonNullable<RunNews['status']>;

describe('the supervisor behind the API', () => {
  it('starts what a caller has resolved, with the environment of the caller', async () => {
    const { served, started } = createScene();
    const caller = { folder: '/shop', environment: { PATH: '/mine' } };
    const order = {
      token: 't',
      store: { kind: 'project' },
      agent: 'claude',
      settings: {},
      trustsFolder: true,
    } as const;
    const run = { ...order, kind: 'resolved', merge: false, onEscalation: 'pause', subject: { runId: 'abc' } } as const;

    expect(await served.handlers['runs.start']?.({ run, caller }, context)).toEqual({ status: 'started', run: 'abc' });
    expect(started).toEqual([
      { order: { ...order, merge: false, onEscalation: 'pause', subject: { runId: 'abc' } }, caller },
    ]);
    await expect(served.handlers['runs.start']?.({ run }, context)).rejects.toMatchObject({ code: 'bad-request' });
  });

  it('tells the news of a run, and that there is none', async () => {
    const { served } = createScene();

    expect(await served.handlers['runs.wait']?.({ run: 'abc' }, context)).toMatchObject({ run: 'abc', revision: 1 });
    await expect(served.handlers['runs.wait']?.({ run: 'def' }, context)).rejects.toMatchObject({ code: 'not-found' });
    expect(await served.handlers['runs.stop']?.({ run: 'def' }, context)).toEqual({ status: 'not-running' });
  });

  it('lists the terminals of its runs, knows whose they are, and tells each notice once', async () => {
    const { served, tell, users } = createScene();
    const notices: SupervisedNotice[] = [];
    const changes: SupervisedChange[] = [];
    served.onNotice((notice) => notices.push(notice));
    const heard = new Promise<void>((resolve) => {
      served.onChange((change) => {
        changes.push(change);
        if (changes.length === 4) resolve();
      });
    });
    tell({ status: STATUS, notices: [{ number: 1, notice: { kind: 'waiting', detail: 'a permission' } }] });
    served.changed();
    tell({});
    served.changed();
    await heard;

    expect(changes).toContainEqual({ kind: 'run', id: 'abc' });
    expect(changes).toContainEqual({ kind: 'terminal', id: 'shop' });
    expect(notices).toEqual([
      {
        terminal: 'shop',
        run: 'abc',
        renewals: 2,
        renewsItself: true,
        notice: { kind: 'waiting', detail: 'a permission' },
      },
    ]);
    expect(served.runOf('shop')).toBe('abc');
    served.user('shop', { attached: true });
    expect(users).toEqual([{ terminal: 'shop', is: { attached: true } }]);
    expect(await served.handlers['terminals.list']?.({}, context)).toMatchObject({
      terminals: [{ name: 'shop', run: 'abc', renewals: 2, needs: { kind: 'waiting', detail: 'a permission' } }],
    });
  });

  it('waits for a terminal, and refuses what its run decides', async () => {
    const { served, tell } = createScene();
    tell({ status: STATUS });

    expect(await served.handlers['terminals.wait']?.({ terminal: 'shop' }, context)).toMatchObject({
      revision: 2,
      terminal: { name: 'shop' },
    });
    await expect(served.handlers['terminals.wait']?.({ terminal: 'x' }, context)).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(served.handlers['terminals.send']?.({ terminal: 'shop', text: 'x' }, context)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('works for run abc'),
    });
  });

  it('starts a run that is asked for in words only in a project that devs knows', async () => {
    const { served } = createScene();
    const run = { kind: 'asked', project: '/elsewhere', request: 'Do it' } as const;
    await expect(served.handlers['runs.start']?.({ run }, context)).rejects.toMatchObject({ code: 'not-found' });
  });
});
