import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '@devs/core';
import type { Caller, SupervisorPort, SupervisorStatus } from './port.js';
import { beginQueue, type QueuedRun, type QueueJob } from './queue-job.js';
import { beginRun, type JobDeps, type RunJob } from './run-job.js';
import type { Vault } from './vault.js';
import type { Workshop } from './workshop.js';

export interface SupervisorDeps {
  readonly version: string;
  readonly pid: number;
  readonly workshop: Workshop;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly newId: () => string;
  /** What is supervised may be different now. Must not throw. */
  onChange(): void;
  /** It was asked to end, and has let go of everything. */
  onEnd(): void;
  /** What cannot be done here. */
  problems(): readonly string[];
}

/** Everything that is supervised for one user on one machine. */
export interface Supervisor extends SupervisorPort {
  /** Whether there is something left to supervise, or it was asked to stay. */
  readonly isNeeded: boolean;
  readonly isBusy: boolean;
  /** Continues what a supervisor before this one left. Resolves when all of it is known here. */
  adopt(): Promise<void>;
}

/** How long followers of something that is over may still ask for its end. */
const REMEMBERED_MS = 5 * 60_000;
/** What is being prepared takes its time; whoever waits for the end of this process does not. */
const LEAVE_MS = 20_000;
const REPLACED = 'the supervisor was stopped; the next one continues';

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { vault, clock } = deps;
  const runs = new Set<RunJob>();
  const queues = new Set<QueueJob>();
  const startedAt = clock.now();
  let keeps: SupervisorStatus['keeps'] = 'while-busy';
  let isLeaving = false;
  const jobDeps: JobDeps = { workshop: deps.workshop, vault, newId: deps.newId, onChange: deps.onChange };

  const remember = <Job extends RunJob | QueueJob>(jobs: Set<Job>, job: Job): Job => {
    jobs.add(job);
    deps.onChange();
    void job.done.then(() => setTimeout(() => jobs.delete(job), REMEMBERED_MS).unref());
    return job;
  };
  const refuseWhileLeaving = () => {
    if (isLeaving) throw new Error('the supervisor of devs is being replaced. Try again in a moment');
  };
  const findRun = (id: string): QueuedRun | RunJob | undefined => {
    const all = [...runs, ...[...queues].flatMap((queue) => queue.runs)].filter((run) => run.id === id);
    return all.find((run) => !run.isOver) ?? all.at(-1);
  };
  const provide = (id: string, caller: Caller) => {
    for (const run of runs) if (run.id === id) run.provide(caller);
  };
  const findQueue = (id: string) => [...queues].find((queue) => queue.id === id);
  /** Also those of queues. */
  const all = () => [...runs, ...[...queues].flatMap((queue) => queue.runs)].filter((run) => !run.isOver);
  const busy = () => [...runs, ...queues].filter((job) => !job.isOver);

  return {
    get isBusy() {
      return busy().length > 0;
    },
    get isNeeded() {
      return busy().length > 0 || keeps === 'until-down';
    },
    async adopt() {
      for (const { id, caller, missing, ...entrusted } of await vault.list()) {
        if (entrusted.kind === 'run') {
          const { order, after } = entrusted;
          remember(runs, beginRun(jobDeps, order, caller, { id, missing, ...(after === undefined ? {} : { after }) }));
        } else {
          const { order, runs: before = [] } = entrusted;
          remember(queues, beginQueue(jobDeps, order, caller, { id, missing, before }));
        }
      }
    },
    status: async () => ({
      version: deps.version,
      pid: deps.pid,
      startedAt,
      keeps,
      runs: [...runs, ...[...queues].flatMap((queue) => queue.runs.map((run) => ({ ...run, folder: queue.folder })))]
        .filter((run) => !run.isOver)
        .map((run) => ({ id: run.id ?? '', folder: run.folder, state: run.news().status?.state ?? 'preparing' })),
      terminals: [],
      problems: deps.problems(),
    }),
    async keep() {
      keeps = 'until-down';
      deps.onChange();
    },
    async shutdown(how) {
      isLeaving = true;
      keeps = 'while-busy';
      const end = (job: RunJob | QueueJob) => (how === 'leave' ? job.leave(REPLACED) : job.stop({ now: false }));
      const ending = Promise.allSettled(busy().map(async (job) => end(job).then(() => job.done)));
      await Promise.race([ending, pause(LEAVE_MS)]);
      await turn(); // followers are answered before nobody is there
      deps.onEnd();
    },
    runs: {
      async start(order, caller) {
        refuseWhileLeaving();
        const before = [...runs].find(({ token }) => token === order.token);
        const { subject } = order;
        const held = 'runId' in subject ? findRun(subject.runId) : undefined;
        if (before === undefined && held?.isOver === false && held.id !== undefined) {
          provide(held.id, caller);
          return { status: 'started', run: held.id };
        }
        return (before ?? remember(runs, beginRun(jobDeps, order, caller))).started;
      },
      list: async () => all().map((run) => run.news()),
      wait: async (id, wait, signal) => findRun(id)?.wait(wait, signal),
      async stop(id, how) {
        const run = findRun(id);
        if (run === undefined || run.isOver) return false;
        await run.stop(how);
        return true;
      },
      async provide(id, caller) {
        provide(id, caller);
      },
      async user(id, is) {
        findRun(id)?.user(is);
      },
    },
    queues: {
      async start(order, caller) {
        refuseWhileLeaving();
        const before = [...queues].find(({ token }) => token === order.token);
        return { queue: (before ?? remember(queues, beginQueue(jobDeps, order, caller))).id };
      },
      wait: async (id, wait, signal) => findQueue(id)?.wait(wait, signal),
      async stop(id, how) {
        const queue = findQueue(id);
        if (queue === undefined || queue.isOver) return false;
        await queue.stop(how);
        return true;
      },
      async provide(id, caller) {
        findQueue(id)?.provide(caller);
      },
    },
  };
}
