import { ApiError, type Parsed } from '@devs/api';
import { collect, foldRun, type RunFacts, readAll, runStream, type Store } from '@devs/core';
import type { Caller, SupervisorPort } from '@devs/supervisor';
import { valueLayer } from '../config/setting-flags.js';
import type { LocalRuns } from '../run/create-runs.js';
import { mergeRun, removeMergedWorktree } from '../run/merge-run.js';
import { type Resolving, resolveResume, resolveRun } from '../run/resolve-run.js';
import { asApiError } from './as-api-error.js';
import type { RunHandlers } from './served-supervisor.js';

/** What belongs to a caller, for what is asked of the API in words. */
interface AskingCaller extends Omit<Resolving, 'runs'> {
  readonly runs: LocalRuns;
  /** Opens the records of the caller's project. `undefined` where there are none. */
  openStore(): Promise<Store | undefined>;
}

export interface AskedRunsDeps {
  readonly port: SupervisorPort;
  readonly newId: () => string;
  /** Environment of the supervisor, for callers who have none, such as the page. */
  readonly environment: Caller['environment'];
  readonly callersOwn: (caller: Caller) => AskingCaller;
  /** Roots of the projects that devs knows. */
  projects(): Promise<readonly string[]>;
}

/** Runs that are started, continued and merged for a caller that cannot be asked. */
export function createAskedRuns(deps: AskedRunsDeps): Pick<RunHandlers, 'runs.resume' | 'runs.merge'> & {
  start(asked: AskedRun, caller: Caller | undefined): ReturnType<RunHandlers['runs.start']>;
} {
  const { port, newId, environment, callersOwn } = deps;
  const callerIn = (folder: string, caller?: Caller): Caller => ({
    environment: caller?.environment ?? environment,
    folder,
  });
  const order = { store: { kind: 'project' }, onEscalation: 'wait' } as const;
  return {
    start: (asked, given) =>
      asApiError(async () => {
        await known(deps, asked.project);
        const caller = callerIn(asked.project, given);
        const resolved = await resolveRun(wordsOf(asked), callersOwn(caller));
        const { agent, settings, trustsFolder, workflow, plan, request } = resolved;
        const subject = { ...workflow, plan: { ...plan, request } };
        const merge = asked.merge === true;
        return port.runs.start({ ...order, token: newId(), agent, settings, trustsFolder, merge, subject }, caller);
      }),
    'runs.resume': ({ run: id, project, merge, caller: given }) =>
      asApiError(() =>
        withRun(deps, { id, project, given }, async ({ run, own, caller }) => {
          const terms = await resolveResume(run, [], own);
          const isMerged = merge ?? run.plan?.merge === true;
          return port.runs.start(
            { ...order, token: newId(), ...terms, merge: isMerged, subject: { runId: id } },
            caller,
          );
        }),
      ),
    'runs.merge': ({ run: id, project }) =>
      asApiError(() =>
        withRun(deps, { id, project }, async ({ own, store }) => {
          const merge = await mergeRun(id, { store, runs: own.runs });
          if (!merge.isMerged) return { outcome: 'failed', message: merge.text };
          await removeMergedWorktree(id, own);
          if (merge.merged === undefined) return { outcome: 'nothing-to-merge' };
          return { outcome: 'merged', ...merge.merged, how: 'merged' };
        }),
      ),
  };
}

type AskedRun = Extract<Parsed<'runs.start'>['run'], { kind: 'asked' }>;

const wordsOf = ({ request, workflow, agent, merge, flags = [] }: AskedRun) => ({
  words: [request],
  ...(workflow === undefined ? {} : { named: workflow }),
  flags: [...(agent === undefined ? [] : [valueLayer('--agent', 'agent', agent)]), ...flags],
  merge: merge === true,
  isQueue: false,
});

interface WantedRun {
  readonly id: string;
  readonly project: string | undefined;
  readonly given?: Caller | undefined;
}

interface FoundRun {
  readonly run: RunFacts;
  readonly store: Store;
  readonly caller: Caller;
  readonly own: AskingCaller;
}

/** Does something with a run; without a project, in the first of all projects that has it. */
async function withRun<Result>(
  deps: AskedRunsDeps,
  { id, project, given }: WantedRun,
  job: (found: FoundRun) => Promise<Result>,
): Promise<Result> {
  if (project !== undefined) await known(deps, project);
  for (const folder of project === undefined ? await deps.projects() : [project]) {
    const caller = { environment: given?.environment ?? deps.environment, folder };
    const own = deps.callersOwn(caller);
    const store = await own.openStore();
    try {
      const events = store === undefined ? [] : await collect(readAll(store.log, { stream: runStream(id) }));
      if (store !== undefined && events.length > 0) return await job({ run: foldRun(id, events), store, caller, own });
    } finally {
      await store?.close();
    }
  }
  throw new ApiError('not-found', `there is no run ${id}`);
}

async function known({ projects }: AskedRunsDeps, root: string): Promise<void> {
  if (!(await projects()).includes(root)) throw new ApiError('not-found', `devs does not know the project ${root}`);
}
