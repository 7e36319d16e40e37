import { type NewEvent, type RunPlan, runEventOf, runStarted, runStream, type Store } from '@devs/core';
import type { RunEnd, RunStatus } from '@devs/supervisor';
import { noRuns } from '../../__tests__/run-here.js';
import type { FollowedRun, Following, NewRunOrder, Runs } from '../create-runs.js';

const POSITION: RunStatus['position'] = {
  status: 'running',
  step: 'plan',
  stepType: 'action',
  instructions: '',
  progress: { step: 1, steps: 2 },
};

export const someStatus = (changes: Partial<RunStatus> = {}): RunStatus => ({
  id: 'abc123',
  workflow: 'feature',
  request: 'Add a cart',
  agent: 'builtin',
  worktree: '/w',
  state: 'running',
  position: POSITION,
  terminals: [],
  last: [],
  totals: { turns: 3, inputTokens: 1_200, cachedTokens: 0, outputTokens: 30, activeMs: 0 },
  ...changes,
});

type Ending = (stopped: Promise<{ now: boolean }>) => Promise<RunEnd>;

/** Runs that store what a supervisor would, and end as they are told; `requests` says what was asked for. */
export function createFakeRuns(ending: Ending = async () => ({ status: 'finished', outcome: 'done', detail: '' })) {
  const requests: NewRunOrder[] = [];
  const stops: boolean[] = [];
  const runs: Runs = {
    ...noRuns,
    async start(order, { store, onEvent }) {
      requests.push(order);
      const { subject } = order;
      const id = 'runId' in subject ? subject.runId : 'abc123';
      const append = createAppender(store, id, onEvent);
      if (!('runId' in subject)) await append([runStarted(subject), prepared(subject.plan)]);
      await append([runEventOf({ type: 'run.begun', by: 'anna', terminal: `run-${id}` })]);
      let stop: (how: { now: boolean }) => void = () => {};
      const stopped = new Promise<{ now: boolean }>((resolve) => {
        stop = resolve;
      });
      const done = ending(stopped).then(async (end) => {
        if (end.status === 'finished') {
          await append([runEventOf({ type: 'run.finished', outcome: end.outcome, detail: end.detail })]);
        }
        if (end.status === 'paused' && end.escalation !== undefined) {
          const { id: escalationId, question, diagnosis } = end.escalation;
          await append([runEventOf({ type: 'escalation.raised', escalationId, question, diagnosis })]);
        }
        if (end.status === 'paused') await append([runEventOf({ type: 'run.paused', why: end.why })]);
        return end;
      });
      const run: FollowedRun = {
        id,
        status: () => someStatus({ id }),
        async stop(how) {
          stops.push(how.now);
          stop(how);
        },
        done,
        unfollow() {},
        merge: () => undefined,
      };
      return { status: 'started', run, notes: ['the work tree lacks nothing'] };
    },
  };
  return { runs, requests, stops };
}

const prepared = (plan: RunPlan) => runEventOf({ type: 'run.prepared', ...plan });

export const createAppender =
  (store: Store, id: string, onEvent?: Following['onEvent']) =>
  async (events: readonly NewEvent[]): Promise<void> => {
    const stream = runStream(id);
    for (;;) {
      const stored = await store.log.append(stream, await store.log.version(stream), events);
      if (stored.status !== 'appended') continue; // another writer was faster
      for (const event of stored.events) onEvent?.(event);
      return;
    }
  };
