import {
  createLiveClient,
  type LiveClient,
  type LiveSocket,
  type LiveSocketEvents,
  type Ready,
  type ServerMessage,
} from '@devs/api';
import type { Hearing } from '../fold/freshness.js';
import type { ProjectState } from '../fold/project-fold.js';
import { createCell } from './cell.js';
import { createCoalescer } from './coalesce.js';
import type { FollowedProject } from './follow-project.js';
import { createFollowedLogs, type FollowedLogs } from './followed-logs.js';
import type { PageClient } from './page-client.js';
import { askFacts, type SupervisorFacts } from './supervisor-facts.js';

/** A position of one project's log that the whole page shows. */
interface Past {
  readonly project: string;
  readonly position: number;
}

/** Everything that the page shows. A new value with each change. */
export interface PageState extends Omit<SupervisorFacts, 'projects'> {
  readonly hearing: Hearing;
  readonly projects: readonly ProjectState[];
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

/** The state of the page: a fold for each project, and what is true of the supervisor at this moment. */
export function createPageStore(deps: PageStoreDeps): PageStore {
  const { client, now, after } = deps;
  let past: Past | undefined;
  let changedAt = 0;
  const changed = createCoalescer({ ms: CALM_MS, after }, () => {
    changedAt = now();
    shown.set(look());
  });
  const logChanged = () => {
    connection.confirm();
    changed.soon();
  };
  const asked = askFacts({
    client,
    after,
    onChange() {
      for (const root of asked.facts?.projects ?? []) logs.follow(root);
      logChanged();
    },
  });
  const connection = createConnection(now, () => asked.facts !== undefined && logs.isCaughtUp());
  const live = createLiveClient({
    ...deps,
    parse,
    onHeard() {
      connection.heard();
      if (now() - changedAt >= AGE_MS) changed.soon();
    },
    onState(_, ready) {
      connection.is(ready);
      if (ready !== undefined) asked.anew();
      logs.reconnected();
      changed.soon();
    },
  });
  const logs = createFollowedLogs({ live, after, onChange: logChanged, onNews: asked.soon });
  const notices = live.subscribe({ to: 'notices' }, { onMessage: asked.soon });
  const look = (): PageState => ({
    ...show(logs, past, asked.facts),
    isOutdated: connection.isOutdated,
    hearing: connection.hearing(),
  });
  const shown = createCell(look());
  return {
    client,
    live,
    get: shown.get,
    subscribe: shown.subscribe,
    logOf: (project) => logs.all.get(project),
    showPast(wanted) {
      past = wanted;
      changed.now();
    },
    refresh: asked.now,
    close() {
      asked.close();
      notices.close();
      live.close();
    },
  };
}

/** What is known of the connection: since when the shown state is known to be true. */
function createConnection(now: () => number, isCaughtUp: () => boolean) {
  let isConnected = false;
  let isOutdated = false;
  let version: string | undefined;
  let heardAt: number | undefined;
  let confirmedAt: number | undefined;
  /** What is heard before every log was read says nothing of how old the shown state is. */
  const confirm = () => {
    if (isConnected && isCaughtUp()) confirmedAt = heardAt;
  };
  return {
    confirm,
    heard() {
      heardAt = now();
      confirm();
    },
    /** The server on the other end now; `undefined`: none. */
    is(ready: Ready | undefined) {
      isConnected = ready !== undefined;
      isOutdated ||= version !== undefined && ready !== undefined && version !== ready.version;
      version = ready?.version ?? version;
    },
    get isOutdated() {
      return isOutdated;
    },
    hearing: (): Hearing => ({
      isConnected,
      isCaughtUp: isCaughtUp(),
      ...(confirmedAt === undefined ? {} : { confirmedAt }),
    }),
  };
}

/** Of the supervisor that served the page. */
function parse(text: string): ServerMessage | undefined {
  try {
    return JSON.parse(text) as ServerMessage;
  } catch {
    return undefined;
  }
}

const NO_FACTS: Omit<SupervisorFacts, 'projects'> = {
  problems: [],
  runs: new Map(),
  terminals: [],
  marks: new Map(),
};

/** In the past, every project stands as it did at the time of that event. */
function show(
  { all }: FollowedLogs,
  past: Past | undefined,
  facts: Omit<SupervisorFacts, 'projects'> = NO_FACTS,
): Omit<PageState, 'hearing' | 'isOutdated'> {
  const fold = past && all.get(past.project)?.fold;
  // A position that was archived shows nothing, and says so.
  const at = past && (fold?.stateAt(past.position).at ?? fold?.events[0]?.at);
  if (past === undefined || at === undefined)
    return { ...facts, projects: [...all.values()].map((followed) => followed.fold.state) };
  const projects = [...all].map(([root, followed]) => {
    if (root === past.project) return followed.fold.stateAt(past.position);
    return followed.fold.stateAt(followed.fold.events.findLast((event) => event.at <= at)?.position ?? 0);
  });
  return { ...facts, projects, past: { ...past, at }, runs: new Map(), terminals: [] };
}
