import {
  createLiveClient,
  type LiveClient,
  type LiveSocket,
  type LiveSocketEvents,
  type RunListing,
  type ServerMessage,
  type Terminal,
} from '@devs/api';
import type { PressureMarks } from '@devs/core/folds';
import type { Hearing } from '../fold/freshness.js';
import { marksOf } from '../fold/marks.js';
import type { ProjectState } from '../fold/project-fold.js';
import { createCoalescer } from './coalesce.js';
import { type FollowedProject, followProject } from './follow-project.js';
import type { PageClient } from './page-client.js';

/** A position of one project's log that the whole page shows. */
interface Past {
  readonly project: string;
  readonly position: number;
}

/** Everything that the page shows. A new value with each change. */
export interface PageState {
  readonly hearing: Hearing;
  readonly projects: readonly ProjectState[];
  /** Projects whose records cannot be read, with the reason. */
  readonly problems: readonly { readonly root: string; readonly problem: string }[];
  /** What no log says: who is supervised now, and what runs in terminals. */
  readonly runs: ReadonlyMap<string, RunListing>;
  readonly terminals: readonly Terminal[];
  /** Where each project renews its agents, by its root; missing where its settings are not known. */
  readonly marks: ReadonlyMap<string, PressureMarks>;
  /** Where the page stands in the past; missing: now. */
  readonly past?: Past & { readonly at: number };
  /** The server now runs another version of devs than the page. */
  readonly isOutdated: boolean;
}

export interface PageStore {
  readonly client: PageClient;
  readonly live: LiveClient;
  get(): PageState;
  subscribe(listener: () => void): () => void;
  /** The log of a project, as far as it is here. */
  logOf(project: string): FollowedProject | undefined;
  /** `undefined`: back to now. */
  showPast(past: Past | undefined): void;
  /** Asks at once for what no log says. */
  refresh(): void;
  close(): void;
}

export interface PageStoreDeps {
  readonly client: PageClient;
  token(): string | undefined;
  connect(events: LiveSocketEvents): LiveSocket;
  now(): number;
  after(ms: number, task: () => void): () => void;
}

const CALM_MS = 50;
/** The age of the page is shown in seconds. */
const AGE_MS = 1_000;
const REFRESH_MS = 150;
const ASK_AGAIN_MS = 15_000;

/** The state of the page: a fold for each project, and what is true of the supervisor at this moment. */
export function createPageStore(deps: PageStoreDeps): PageStore {
  const { client, now, after } = deps;
  const followed = new Map<string, FollowedProject>();
  const listeners = new Set<() => void>();
  let problems: PageState['problems'] = [];
  let runs: PageState['runs'] = new Map();
  let terminals: PageState['terminals'] = [];
  let marks: PageState['marks'] = new Map();
  let past: Past | undefined;
  let isConnected = false;
  let heardAt: number | undefined;
  let confirmedAt: number | undefined;
  let isListed = false;
  let changedAt = 0;
  let version: string | undefined;
  let isOutdated = false;
  let isClosed = false;
  let state: PageState | undefined;

  const changed = createCoalescer({ ms: CALM_MS, after }, () => {
    state = undefined;
    changedAt = now();
    for (const listener of listeners) listener();
  });
  const live = createLiveClient({
    connect: deps.connect,
    token: deps.token,
    parse,
    after,
    onHeard() {
      heardAt = now();
      confirm();
      if (heardAt - changedAt >= AGE_MS) changed.soon();
    },
    onState(connection, ready) {
      isConnected = connection === 'connected';
      if (ready !== undefined) {
        isOutdated ||= version !== undefined && version !== ready.version;
        version = ready.version;
        marks = new Map(); // settings may have changed meanwhile
        refresh.now();
      }
      for (const project of followed.values()) project.isCaughtUp = false;
      changed.soon();
    },
  });
  const ask = async () => {
    const [{ projects }, { runs: listed }, { terminals: there }] = await Promise.all([
      client.call('projects.list', {}),
      client.call('runs.list', { state: 'open' }),
      client.call('terminals.list', {}),
    ]);
    if (isClosed) return;
    problems = projects.flatMap(({ root, problem }) => (problem === undefined ? [] : [{ root, problem }]));
    runs = new Map(listed.map((run) => [run.id, run as RunListing]));
    terminals = there as readonly Terminal[];
    void askMarks(
      client,
      projects.filter(({ root, problem }) => problem === undefined && !marks.has(root)),
    ).then((known) => {
      if (known.size === 0) return;
      marks = new Map([...marks, ...known]);
      changed.soon();
    });
    for (const { root, problem } of projects)
      if (problem === undefined && !followed.has(root)) {
        followed.set(root, followProject(root, { live, after, onChange: logChanged, onNews: refresh.soon }));
      }
    isListed = true;
    logChanged();
  };
  const refresh = createCoalescer({ ms: REFRESH_MS, after }, () => void ask().catch(() => {})); // tried again later
  const notices = live.subscribe({ to: 'notices' }, { onMessage: () => refresh.soon() });
  let stopAsking = () => {};
  const askAgain = () => {
    stopAsking = after(ASK_AGAIN_MS, () => {
      refresh.now();
      askAgain();
    });
  };
  askAgain();
  refresh.now();
  return {
    client,
    live,
    get() {
      state ??= { ...show({ followed, past, problems, runs, terminals, marks, isOutdated }), hearing: hearing() };
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    logOf: (project) => followed.get(project),
    showPast(wanted) {
      past = wanted;
      changed.now();
    },
    refresh: refresh.now,
    close() {
      isClosed = true;
      stopAsking();
      notices.close();
      live.close();
    },
  };

  function isCaughtUp(): boolean {
    return isListed && [...followed.values()].every((project) => project.isCaughtUp);
  }
  /** What is heard before every log was read says nothing of how old the shown state is. */
  function confirm(): void {
    if (isConnected && isCaughtUp()) confirmedAt = heardAt;
  }
  function logChanged(): void {
    confirm();
    changed.soon();
  }
  function hearing(): Hearing {
    return { isConnected, isCaughtUp: isCaughtUp(), ...(confirmedAt === undefined ? {} : { confirmedAt }) };
  }
}

/** Where the settings of a project cannot be read, the usual marks count. Never rejects. */
async function askMarks(
  client: PageClient,
  projects: readonly { readonly root: string }[],
): Promise<PageState['marks']> {
  const asked = projects.map(async ({ root }) => {
    const { settings } = await client.call('settings.get', { project: root });
    return [root, marksOf(settings)] as const;
  });
  const answers = await Promise.allSettled(asked);
  return new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])));
}

/** Of the supervisor that served the page. */
function parse(text: string): ServerMessage | undefined {
  try {
    return JSON.parse(text) as ServerMessage;
  } catch {
    return undefined;
  }
}

interface Shown extends Omit<PageState, 'hearing' | 'projects' | 'past'> {
  readonly followed: ReadonlyMap<string, FollowedProject>;
  readonly past: Past | undefined;
}

/** In the past, every project stands as it did at the time of that event. */
function show({ followed, past, ...rest }: Shown): Omit<PageState, 'hearing'> {
  const fold = past && followed.get(past.project)?.fold;
  // A position that was archived shows nothing, and says so.
  const at = past && (fold?.stateAt(past.position).at ?? fold?.events[0]?.at);
  if (past === undefined || at === undefined)
    return { ...rest, projects: [...followed.values()].map(({ fold }) => fold.state) };
  const projects = [...followed].map(([root, { fold }]) => {
    if (root === past.project) return fold.stateAt(past.position);
    return fold.stateAt(fold.events.findLast((event) => event.at <= at)?.position ?? 0);
  });
  return { ...rest, projects, past: { ...past, at }, runs: new Map(), terminals: [] };
}
