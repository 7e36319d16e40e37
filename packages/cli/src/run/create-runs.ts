import { runStream } from '@devs/core';
import type { Caller } from '@devs/supervisor';
import type { SupervisorLink } from '../supervise/supervisor-link.js';
import type { LocalRuns, Runs } from './runs.js';
import { watchQueue } from './watch-queue.js';
import { saidWhenLost, watchRun } from './watch-run.js';

interface RunsDeps {
  readonly local: LocalRuns;
  readonly supervisor: SupervisorLink;
  /** Of this process: what it starts gets this environment. */
  readonly caller: Caller;
  readonly newId: () => string;
}

/** Runs that the supervisor of the user carries out, and this process follows. */
export function createRuns({ local, supervisor, caller, newId }: RunsDeps): Runs {
  const { prepare: _, openHost: __, tell: ___, ...own } = local;
  return {
    ...own,
    async start(asked, following) {
      const order = { ...asked, token: newId() };
      const { subject } = order;
      const past = 'runId' in subject ? await following.store.log.version(runStream(subject.runId)) : 0;
      const answer = await supervisor.use((port) => port.runs.start(order, caller), saidWhenLost(following));
      if (answer.status !== 'started') return answer;
      const watched = watchRun({ id: answer.run, following, order, past, supervisor, caller });
      const outcome = await watched.begun;
      if (outcome !== undefined) {
        await watched.run.done;
        return outcome;
      }
      return { status: 'started', run: watched.run, notes: watched.notes() };
    },
    queue: (asked, following) => watchQueue({ order: { ...asked, token: newId() }, following, supervisor, caller }),
    async leaveQueue(asked) {
      const order = { ...asked, token: newId() };
      await supervisor.use((port) => port.queues.start(order, caller));
    },
    askToStop: async (runId) => (await supervisor.ask((port) => port.runs.stop(runId, { now: false }))) ?? false,
  };
}
