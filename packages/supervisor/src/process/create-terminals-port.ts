import type { SupervisedTerminal } from '../supervised-terminal.js';
import type { Jobs } from './create-jobs.js';
import type { RunNews } from './port.js';
import type { Acted, TerminalNews, TerminalsPort } from './terminal-port.js';

/** A viewer of the API; how many there are is counted there. */
const VIEWERS = 'viewers';

/** What clients may ask about terminals. `admit` throws while this supervisor lets go of everything. */
export function createTerminalsPort(jobs: Jobs, admit: () => void): TerminalsPort {
  const wait: TerminalsPort['wait'] = async (name, seen, signal) => {
    const job = jobs.findTerminal(name);
    if (job !== undefined && !(job.isOver && jobs.runIn(name) !== undefined)) return job.wait(seen, signal);
    const news = await jobs.runIn(name)?.wait(seen, signal);
    return news === undefined ? undefined : newsInRun(name, news);
  };
  const viewing = new Map<string, () => void>();
  return {
    start: (order, caller) => {
      admit();
      return start(jobs, order, caller);
    },
    list: async () => [
      ...[...jobs.terminals].filter((job) => !job.isOver).map((job) => job.news()),
      ...jobs.openRuns().flatMap((run) => {
        const news = run.news();
        return (news.status?.terminals ?? []).map(({ name }) => newsInRun(name, news));
      }),
    ],
    wait,
    async attend(name, { window, typed, ...seen }, signal) {
      const left = jobs.windowsOf(name).open(window);
      try {
        if (typed) tellUser(jobs, name, { typed });
        return await wait(name, seen, signal);
      } finally {
        left();
      }
    },
    async leave(name, window) {
      jobs.windowsOf(name).leave(window);
    },
    async user(name, { attached, typed }) {
      if (attached === true && !viewing.has(name)) viewing.set(name, jobs.windowsOf(name).open(VIEWERS));
      if (attached === false) {
        viewing.get(name)?.();
        viewing.delete(name);
      }
      if (typed === true) tellUser(jobs, name, { typed });
    },
    async provide(name, caller) {
      jobs.findTerminal(name)?.provide(caller);
    },
    ...createActs(jobs),
  };
}

/** What is done with the agent of a terminal. The terminal of a run is the run's, but for an interrupt and its end. */
function createActs(jobs: Jobs): Pick<TerminalsPort, 'send' | 'interrupt' | 'renew' | 'undo' | 'stop'> {
  const act = async <Result>(
    name: string,
    work: (terminal: SupervisedTerminal) => Promise<Result>,
  ): Promise<Acted<Result>> => {
    const job = jobs.findTerminal(name);
    if (job?.act !== undefined) return { status: 'done', result: await job.act(work) };
    const run = jobs.runIn(name)?.id;
    return run === undefined ? { status: 'not-supervised' } : { status: 'of-run', run };
  };
  return {
    send: (name, text) => act(name, (terminal) => terminal.send(text)),
    async interrupt(name, words) {
      const run = jobs.runIn(name);
      if (run !== undefined) return { status: 'done', result: await run.interrupt(words) };
      return act(name, (terminal) => terminal.interrupt(words));
    },
    async renew(name, { dropsDraft }) {
      const run = jobs.runIn(name);
      if (run !== undefined) return { status: 'done', result: await run.renew({ keepsDraft: !dropsDraft }) };
      return act(name, (terminal) => terminal.renew({ keepsDraft: !dropsDraft }));
    },
    undo: (name) => act(name, (terminal) => terminal.undoRenewal()),
    async stop(name) {
      const run = jobs.runIn(name);
      if (run !== undefined) {
        await run.stop({ now: false });
        return { status: 'done', result: 'stopped' };
      }
      const job = jobs.findTerminal(name);
      const acted = await act(name, (terminal) => terminal.stop().then(() => 'stopped' as const));
      if (job?.isEnding === true) await job.done; // the answer comes once the terminal is gone from every list
      return acted;
    },
  };
}

/** An order that is sent twice is carried out once, also where the supervisor died in between. */
const start = async (
  jobs: Jobs,
  ...[order, caller]: Parameters<TerminalsPort['start']>
): ReturnType<TerminalsPort['start']> => {
  for (const job of jobs.terminals) {
    if (job.token !== order.token) continue;
    const before = await job.started;
    if (before.status === 'started') return before;
  }
  const held = jobs.findTerminal(order.name);
  if (held?.isOver === false) {
    held.provide(caller);
    const before = await held.started;
    if (before.status === 'started' && !held.isEnding)
      return order.subject.kind === 'take-up' ? before : { status: 'taken' };
    await held.done;
  }
  if (jobs.runIn(order.name) !== undefined)
    return order.subject.kind === 'take-up' ? { status: 'started', name: order.name, notes: [] } : { status: 'taken' };
  const started = await jobs.begin.terminal(order, caller).started;
  // Until its first call: a window that dies before does not leave its user there.
  if (started.status === 'started' && order.window !== undefined) jobs.windowsOf(order.name).open(order.window)();
  return started;
};

function tellUser(jobs: Jobs, name: string, is: { readonly typed: true }): void {
  jobs.findTerminal(name)?.user(is);
  jobs.runIn(name)?.user(is);
}

function newsInRun(name: string, { revision, run, status, notices, isOver, isLeft }: RunNews): TerminalNews {
  const own = status?.terminals.find((terminal) => terminal.name === name);
  return { revision, name, run, ...(own === undefined ? {} : { status: own }), notices, isOver, isLeft };
}
