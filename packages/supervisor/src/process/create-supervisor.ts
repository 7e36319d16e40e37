import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@devs/core';
import { createJobs, type Jobs } from './create-jobs.js';
import { createTerminalsPort } from './create-terminals-port.js';
import type { Caller, QueueOrder, SupervisorPort, SupervisorStatus } from './port.js';
import type { QueueJob } from './queue-job.js';
import type { RunJob } from './run-job.js';
import type { TerminalJob } from './terminal-job.js';
import type { Vault } from './vault.js';
import { whyHeldRunWaits, whyHeldTerminalWaits } from './why-held-waits.js';
import type { Workshop } from './workshop.js';

export interface SupervisorDeps {
  readonly version: string;
  readonly pid: number;
  readonly workshop: Workshop;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly newId: () => string;
  /** How long a start waits for a caller with the keys that are gone. */
  readonly patienceMs?: number;
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

/** What is being prepared takes its time; a caller who waits for the end of this process does not. */
const LEAVE_MS = 20_000;
const REPLACED = 'the supervisor was stopped; the next one continues';

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { workshop, vault, newId, onChange } = deps;
  const jobs = createJobs({ workshop, vault, newId, onChange, patienceMs: deps.patienceMs });
  const startedAt = deps.clock.now();
  let keeps: SupervisorStatus['keeps'] = 'while-busy';
  let isLeaving = false;
  const admit = () => {
    if (isLeaving) throw new Error('the supervisor of devs is being replaced. Try again in a moment');
  };
  return {
    get isBusy() {
      return jobs.busy().length > 0;
    },
    get isNeeded() {
      return jobs.busy().length > 0 || keeps === 'until-down';
    },
    adopt: () => adopt(jobs, vault),
    status: async () => ({
      version: deps.version,
      pid: deps.pid,
      startedAt,
      keeps,
      ...holdings(jobs, deps.clock.now()),
      problems: deps.problems(),
    }),
    async keep() {
      keeps = 'until-down';
      onChange();
    },
    async shutdown(how) {
      isLeaving = true;
      keeps = 'while-busy';
      const ending = Promise.allSettled(jobs.busy().map(async (job) => endJob(job, how).then(() => job.done)));
      await Promise.race([ending, pause(LEAVE_MS)]);
      jobs.close();
      await turn(); // followers are answered before the process ends
      deps.onEnd();
    },
    runs: createRunsPort(jobs, admit),
    queues: createQueuesPort(jobs, admit),
    terminals: createTerminalsPort(jobs, admit),
  };
}

async function adopt(jobs: Jobs, vault: Vault): Promise<void> {
  for (const { id, caller, missing, ...entrusted } of await vault.list()) {
    if (entrusted.kind === 'run') {
      const { order, after } = entrusted;
      jobs.begin.run(order, caller, { id, missing, ...(after === undefined ? {} : { after }) });
    } else if (entrusted.kind === 'queue')
      jobs.begin.queue(entrusted.order, caller, { id, missing, before: entrusted.runs ?? [] });
    else jobs.begin.terminal(entrusted.order, caller, { isAttended: entrusted.isAttended, missing });
  }
}

function endJob(job: RunJob | QueueJob | TerminalJob, how: 'leave' | 'pause'): Promise<void> {
  if ('act' in job) return job.leave(); // its agent is the user's
  return how === 'leave' ? job.leave(REPLACED) : job.stop({ now: false });
}

const holdings = (jobs: Jobs, now: number): Pick<SupervisorStatus, 'runs' | 'terminals'> => ({
  runs: [
    ...[...jobs.runs].map((run) => ({ run, folder: run.folder })),
    ...[...jobs.queues].flatMap(({ runs, folder }) => runs.map((run) => ({ run, folder }))),
  ]
    .filter(({ run }) => !run.isOver)
    .map(({ run, folder }) => ({
      id: run.id ?? '',
      folder,
      state: run.news().status?.state ?? 'preparing',
      ...waitsOf(whyHeldRunWaits(run.news(), now)),
    })),
  terminals: [...jobs.terminals]
    .filter((job) => !job.isOver)
    .map((job) => ({ name: job.name, folder: job.folder, ...waitsOf(whyHeldTerminalWaits(job.news().status, now)) })),
});

const waitsOf = (waits: string | undefined) => (waits === undefined ? {} : { waits });

function createRunsPort(jobs: Jobs, admit: () => void): SupervisorPort['runs'] {
  const provide = (id: string, caller: Caller) => {
    for (const run of jobs.runs) if (run.id === id) run.provide(caller);
  };
  return {
    async start(order, caller) {
      admit();
      const before = [...jobs.runs].find(({ token }) => token === order.token);
      const { subject } = order;
      const held = 'runId' in subject ? jobs.findRun(subject.runId) : undefined;
      if (before === undefined && held?.isOver === false && held.id !== undefined) {
        provide(held.id, caller);
        return { status: 'started', run: held.id };
      }
      return (before ?? jobs.begin.run(order, caller)).started;
    },
    list: async () => jobs.openRuns().map((run) => run.news()),
    wait: async (id, wait, signal) => jobs.findRun(id)?.wait(wait, signal),
    async stop(id, how) {
      const run = jobs.findRun(id);
      if (run === undefined || run.isOver) return false;
      await run.stop(how);
      return true;
    },
    async provide(id, caller) {
      provide(id, caller);
    },
    async user(id, is) {
      jobs.findRun(id)?.user(is);
    },
  };
}

/**
 * The worker of this folder that is at work already, where it was ordered alike: two would have twice the slots. Another
 * one comes to its end beside the new one.
 */
async function takeUpServing(jobs: Jobs, order: QueueOrder, caller: Caller): Promise<QueueJob | undefined> {
  const serving = [...jobs.queues].filter(
    (job) => !job.isOver && job.order.serves === true && job.folder === caller.folder && isSameStore(job.order, order),
  );
  const alike = serving.find((job) => isAlike(job.order, order) && !job.isEnding);
  for (const job of serving) if (job !== alike) await job.stop({ now: false });
  alike?.provide(caller);
  return alike;
}

/** An address with a password is not kept: it is in the environment of the caller. */
const isSameStore = ({ store: one }: QueueOrder, { store: other }: QueueOrder): boolean =>
  isDeepStrictEqual(one, other) ||
  (one.kind === 'redis' && other.kind === 'redis' && (one.url === '' || other.url === ''));

const isAlike = ({ token: _one, ...one }: QueueOrder, { token: _other, ...other }: QueueOrder): boolean =>
  isDeepStrictEqual(one, other);

function createQueuesPort(jobs: Jobs, admit: () => void): SupervisorPort['queues'] {
  const find = (id: string) => [...jobs.queues].find((queue) => queue.id === id);
  return {
    async start(order, caller) {
      admit();
      const before = [...jobs.queues].find(({ token }) => token === order.token);
      if (before !== undefined) return { queue: before.id };
      const served = order.serves === true ? await takeUpServing(jobs, order, caller) : undefined;
      return { queue: (served ?? jobs.begin.queue(order, caller)).id };
    },
    wait: async (id, wait, signal) => find(id)?.wait(wait, signal),
    async stop(id, how) {
      const queue = find(id);
      if (queue === undefined || queue.isOver) return false;
      await queue.stop(how);
      return true;
    },
    async provide(id, caller) {
      find(id)?.provide(caller);
    },
  };
}
