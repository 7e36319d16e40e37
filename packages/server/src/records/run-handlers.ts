import { ApiError, type Output } from '@devs/api';
import {
  collect,
  createRunFold,
  describePosition,
  describeRun,
  describeStatus,
  holderOfRun,
  isUnfinished,
  type OpenedStore,
  openQuestions,
  type Question,
  type RunFacts,
  readAll,
  readHistory,
  readRuns,
  reportRun,
  runStream,
  type SeenTerminals,
  type StoredEvent,
  terminalsOfRun,
  type WorkflowStatusResponse,
} from '@devs/core';
import type { DiffRun, Handlers, RecordName } from '../served-supervisor.js';
import { type FoundRun, forEachProject, withRun } from './find-run.js';
import type { OpenStores } from './open-stores.js';

type RunName = Extract<RecordName, `runs.${'list' | 'get' | 'events' | 'report' | 'diff'}`>;
type Listing = Output<'runs.list'>['runs'][number];

const MAX_RUNS = 200;
const MAX_EVENTS = 1_000;
const MAX_DIFF = 2 << 20;
const USUAL_EVENTS = 200;
const ORDER: readonly Listing['state'][] = ['needs you', 'interrupted', 'paused', 'running'];

/** What is seen of terminals now. */
export type LookAtTerminals = () => Promise<SeenTerminals>;

export const createRunHandlers = (
  stores: OpenStores,
  diff: DiffRun,
  look: LookAtTerminals,
): Pick<Handlers, RunName> => ({
  async 'runs.list'({ project, state = 'open', limit = MAX_RUNS }) {
    const seen = await look();
    const runs = await forEachProject(stores, project, (opened, root) => listingsIn(opened, { root, state, seen }));
    const sorted = [...runs].sort((a, b) => rank(a) - rank(b) || b.since - a.since);
    return { runs: sorted.slice(0, Math.min(limit, MAX_RUNS)) };
  },
  'runs.get': (input) => withRun(stores, input, async (found) => detailOf(found, await look())),
  'runs.events': ({ after = 0, limit = USUAL_EVENTS, ...input }) =>
    withRun(stores, input, async ({ store, run }) => {
      const end = (await store.state()).position;
      const own = await collect(readAll(store.log, { stream: runStream(run.id) }));
      const most = Math.min(Math.max(limit, 1), MAX_EVENTS);
      const streams = [runStream(run.id), ...terminalsOfRun(own).map((name) => `terminal:${name}`)];
      const read = await Promise.all(streams.map((stream) => store.log.read({ after, limit: most, stream })));
      const events = read.flat().sort((a, b) => a.position - b.position);
      return pageOf(events, { most, after, end });
    }),
  'runs.diff': ({ from, to, ...input }) =>
    withRun(stores, input, async ({ run, root }) => {
      const span = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      const text = await diff(run, root, span);
      return { text: text.slice(0, MAX_DIFF), isCut: text.length > MAX_DIFF };
    }),
  'runs.report': (input) => withRun(stores, input, async (found) => reportRun(await historyOf(found))),
});

const rank = ({ state }: Listing): number => (ORDER.includes(state) ? ORDER.indexOf(state) : ORDER.length);

/** As far as it was read, also where the last events are of other streams. */
const pageOf = (
  events: readonly StoredEvent[],
  { most, after, end }: { readonly most: number; readonly after: number; readonly end: number },
): Output<'runs.events'> => {
  const page = events.slice(0, most);
  const isAll = events.length < most;
  return {
    events: page,
    position: isAll ? Math.max(after, end, page.at(-1)?.position ?? 0) : (page.at(-1)?.position ?? after),
    end,
  };
};

interface Wanted {
  readonly root: string;
  readonly state: 'open' | 'all';
  readonly seen: SeenTerminals;
}

async function listingsIn(opened: OpenedStore, { root, state, seen }: Wanted): Promise<readonly Listing[]> {
  const runs = await readRuns(opened);
  const wanted = state === 'open' ? runs.filter(isUnfinished) : runs.slice(-MAX_RUNS);
  return Promise.all(
    wanted.map(async (run) => listingOf(run, root, { isSupervised: await isHeld(opened, run), seen })),
  );
}

const isHeld = async ({ store }: OpenedStore, { id }: RunFacts): Promise<boolean> =>
  (await holderOfRun(store.leases, id)) !== undefined;

/** Pure. */
function listingOf(
  run: RunFacts,
  project: string,
  { isSupervised, seen }: { readonly isSupervised: boolean; readonly seen: SeenTerminals },
): Listing {
  const { phase, preparedAt, begun, worktree, task, merged, totals } = run;
  const { waits, ...known } = describeRun(run, isSupervised, seen);
  const over = phase.kind === 'finished' ? { state: phase.outcome, detail: phase.detail } : {};
  return {
    ...known,
    ...over,
    ...(waits === undefined || phase.kind === 'finished' ? {} : { waits }),
    project,
    totals,
    ...(preparedAt === undefined ? {} : { startedAt: preparedAt }),
    ...(begun === undefined ? {} : { terminal: begun.terminal }),
    ...(worktree?.branch === undefined ? {} : { branch: worktree.branch }),
    ...(task === undefined ? {} : { task: task.id }),
    ...(merged === undefined ? {} : { merged }),
  };
}

async function detailOf(found: FoundRun, seen: SeenTerminals): Promise<Output<'runs.get'>> {
  const { store, run, root, position } = found;
  const events = await collect(readAll(store.log, { stream: runStream(run.id) }));
  const status = statusOf(events);
  const { commits, checks, worktree } = run;
  const [question] = openQuestions([run]);
  return {
    ...listingOf(run, root, { isSupervised: await isHeld(found, run), seen }),
    position: Math.max(position, events.at(-1)?.position ?? 0),
    terminals: terminalsOfRun(events),
    commits,
    checks,
    ...(worktree === undefined ? {} : { worktree }),
    ...(question === undefined ? {} : { question: questionOf(question, root) }),
    ...(status === undefined ? {} : { step: describePosition(status), workflowPosition: { ...status } }),
  };
}

function statusOf(events: readonly StoredEvent[]): WorkflowStatusResponse | undefined {
  const workflow = createRunFold().add(events);
  return workflow === undefined ? undefined : describeStatus(workflow.template, workflow.state);
}

export async function historyOf({ store, run }: FoundRun) {
  const holder = await holderOfRun(store.leases, run.id);
  return {
    ...(await readHistory(store.log, run.id)),
    ...(holder === undefined ? {} : { lookedAfterBy: holder.by }),
  };
}

export const questionOf = (
  { id, question, diagnosis, at, answer, unseen, run }: Question,
  project: string,
): Output<'questions.list'>['questions'][number] => ({
  id,
  run: run.id,
  project,
  request: run.plan?.request ?? '',
  question,
  diagnosis,
  at,
  ...(answer === undefined ? {} : { answer }),
  ...(unseen === undefined ? {} : { unseen }),
});

export const notFound = (what: string): ApiError => new ApiError('not-found', `there is no ${what}`);
