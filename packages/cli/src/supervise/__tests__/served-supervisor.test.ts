import type { SupervisedChange, SupervisedNotice } from '@devs/server';
import type { RunNews, SupervisorPort } from '@devs/supervisor';
import { describe, expect, it } from 'vitest';
import { createServedSupervisor } from '../served-supervisor.js';

const context = { identity: { scope: 'owner', name: 'test' }, signal: new AbortController().signal } as const;

/** A supervisor with one run, whose news a test changes. */
function createScene() {
  const started: unknown[] = [];
  const users: unknown[] = [];
  let news: RunNews = { revision: 1, run: 'abc', notes: [], notices: [], isOver: false, isLeft: false };
  const port = {
    runs: {
      list: async () => [news],
      wait: async (run: string) => (run === 'abc' ? news : undefined),
      stop: async () => false,
      async start(order: unknown, caller: unknown) {
        started.push({ order, caller });
        return { status: 'started', run: 'abc' };
      },
      async user(run: string, is: unknown) {
        users.push({ run, is });
      },
    },
  } as unknown as SupervisorPort;
  const host = async () => {
    throw new Error('this test has no host');
  };
  return {
    started,
    users,
    served: createServedSupervisor(port, host),
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
        if (changes.length === 2) resolve();
      });
    });
    tell({ status: STATUS, notices: [{ number: 1, notice: { kind: 'waiting', detail: 'a permission' } }] });
    served.changed();
    tell({});
    served.changed();
    await heard;

    expect(changes).toContainEqual({ kind: 'run', id: 'abc' });
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
    expect(users).toEqual([{ run: 'abc', is: { attached: true } }]);
    expect(await served.handlers['terminals.list']?.({}, context)).toMatchObject({
      terminals: [{ name: 'shop', run: 'abc', renewals: 2, needs: { kind: 'waiting', detail: 'a permission' } }],
    });
  });
});
