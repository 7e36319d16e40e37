import { setTimeout as pause } from 'node:timers/promises';
import type { UserPresence } from '../attendance.js';
import type { TerminalNotice } from '../notice.js';
import { superviseTerminal } from '../supervise-terminal.js';
import type { SupervisedTerminal, SuperviseOutcome, SuperviseRequest, TerminalStatus } from '../supervised-terminal.js';
import { createNews, createNoticeList } from './news.js';
import type { Caller, WaitFor } from './port.js';
import type { JobDeps } from './run-job.js';
import type { TerminalNews, TerminalOrder, TerminalStarted } from './terminal-port.js';
import type { OpenedTerminal } from './workshop.js';

/** One terminal of the user that this supervisor holds. */
export interface TerminalJob {
  readonly token: string;
  readonly name: string;
  readonly folder: string;
  readonly isOver: boolean;
  /** Its agent has ended, and it is about to be over. */
  readonly isEnding: boolean;
  /** Does something with it, which its end waits for. `undefined` until its agent was started, and after it was let go. */
  act: (<Result>(work: (terminal: SupervisedTerminal) => Promise<Result>) => Promise<Result>) | undefined;
  user(is: UserPresence): void;
  readonly started: Promise<TerminalStarted>;
  readonly done: Promise<void>;
  news(): TerminalNews;
  wait(wait: WaitFor, signal?: AbortSignal): Promise<TerminalNews>;
  /** Stores for the next supervisor whether the user is there. */
  attended(is: boolean): void;
  /** Lets go of it: the next supervisor continues. */
  leave(): Promise<void>;
}

/** The next supervisor found it in the vault. */
export interface TerminalAdoption {
  readonly isAttended: boolean;
}

/** For a supervisor that is ending, or was killed. */
const HELD_MS = 20_000;
const AGAIN_MS = 500;

interface Watched {
  /** Whether a window shows its notices. */
  isWatched(): boolean;
}

export function beginTerminal(
  deps: JobDeps & Watched,
  order: TerminalOrder,
  caller: Caller,
  adopted?: TerminalAdoption,
): TerminalJob {
  const state = createTerminalState(order.name);
  const { news } = state;
  let isAttended = adopted?.isAttended ?? order.window !== undefined;
  const keep = async () => {
    const kept = { ...order, subject: { kind: 'take-up' } } as const; // its records have the arguments, without secrets
    await deps.vault.keep({ id: vaultId(order.name), kind: 'terminal', order: kept, caller, isAttended });
  };
  const work = async (): Promise<void> => {
    const opened = await deps.workshop.openTerminal(order, caller);
    try {
      if (order.subject.kind === 'start' && (await isRunning(opened.request))) return state.refuse({ status: 'taken' });
      await keep();
      const outcome = await superviseFreely(requestOf(order, opened, { state, deps, isAttended }), state.leaving);
      if (outcome.status !== 'supervised') return state.refuse(refusalOf(outcome));
      state.took(outcome.terminal);
      // The window of a supervisor before this one says soon whether it is still there.
      if (adopted?.isAttended === true && !deps.isWatched()) outcome.terminal.user({ attached: false });
      deps.onChange();
      await state.ended;
      if (!state.isLeft) await state.acted();
      await outcome.terminal.close();
    } finally {
      await opened.close();
    }
  };
  const done = work()
    .catch((error: unknown) =>
      state.refuse({ status: 'refused', reason: error instanceof Error ? error.message : String(error) }),
    )
    .then(async () => {
      if (!state.isLeft) await deps.vault.forget(vaultId(order.name));
      state.over();
      deps.onChange();
    });
  return {
    token: order.token,
    name: order.name,
    folder: order.folder,
    get isOver() {
      return state.isOver;
    },
    get isEnding() {
      return state.isEnding;
    },
    get act() {
      return state.terminal === undefined || state.isEnding ? undefined : state.act;
    },
    user: (is) => state.terminal?.user(is),
    started: state.started,
    done,
    news: news.read,
    wait: ({ seen }, signal) => news.wait(seen, signal),
    attended(is) {
      if (is === isAttended) return;
      isAttended = is;
      if (state.terminal !== undefined) void keep().catch(() => {}); // without it the next one assumes what was so before
    },
    async leave() {
      if (state.isOver) return;
      state.leave();
      await done;
    },
  };
}

/** No id of a run or queue has a dot. */
const vaultId = (name: string): string => `terminal.${name}`;

type Refusal = Exclude<TerminalStarted, { status: 'started' }>;

/** What is known of one terminal, for its followers. */
function createTerminalState(name: string) {
  let terminal: SupervisedTerminal | undefined;
  let last: TerminalStatus | undefined;
  let window: TerminalNews['window'];
  let [isOver, isLeft] = [false, false];
  const ending = new AbortController();
  const end = () => ending.abort();
  const ended = new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()));
  let tellStarted: (started: TerminalStarted) => void = () => {};
  const started = new Promise<TerminalStarted>((resolve) => {
    tellStarted = resolve;
  });
  const leaving = new AbortController();
  const acts = new Set<Promise<unknown>>();
  const act: NonNullable<TerminalJob['act']> = (work) => {
    if (terminal === undefined) throw new Error(`terminal ${name} is not supervised`);
    const acting = work(terminal);
    acts.add(acting);
    return acting.finally(() => acts.delete(acting));
  };
  const status = () => terminal?.status() ?? last;
  const news = createNews<TerminalNews>((revision) => {
    const now = status();
    return {
      revision,
      name,
      ...(now === undefined ? {} : { status: now }),
      ...(window === undefined ? {} : { window }),
      notices: notices.list(),
      isOver,
      isLeft,
    };
  });
  const notices = createNoticeList(() => news.changed());
  return {
    news,
    started,
    ended,
    leaving: leaving.signal,
    act,
    acted: async () => void (await Promise.allSettled(acts)),
    get terminal() {
      return terminal;
    },
    get isOver() {
      return isOver;
    },
    get isLeft() {
      return isLeft;
    },
    get isEnding() {
      return ending.signal.aborted;
    },
    changed() {
      if (isGivenUp(terminal?.status())) end();
      news.changed();
    },
    measured(by: string) {
      window = by === 'assumed' || by === 'unknown' ? by : undefined;
      news.changed();
    },
    hear(notice: TerminalNotice) {
      notices.add(notice);
      if (notice.kind === 'done' || notice.kind === 'lost') end();
    },
    took(taken: SupervisedTerminal) {
      terminal = taken;
      tellStarted({ status: 'started', name, notes: taken.status().notes });
      news.changed();
    },
    refuse: (refusal: Refusal) => tellStarted(refusal),
    leave() {
      isLeft = true;
      leaving.abort();
      news.changed();
      end();
    },
    over() {
      last = terminal?.status();
      terminal = undefined;
      isOver = true;
      tellStarted({ status: 'not-running' });
      news.over();
    },
  };
}

type TerminalState = ReturnType<typeof createTerminalState>;

interface Requesting {
  readonly state: TerminalState;
  readonly deps: Watched;
  readonly isAttended: boolean;
}

function requestOf(
  { subject, size }: TerminalOrder,
  opened: OpenedTerminal,
  { state, deps, isAttended }: Requesting,
): SuperviseRequest {
  return {
    ...opened.request,
    attended: isAttended,
    ...(size === undefined ? {} : { size }),
    ...(subject.kind === 'take-up' ? {} : { launch: { userArgs: subject.args } }),
    ...(subject.kind === 'resume' ? { resumesStopped: { prompt: '' } } : {}), // its user says what is next
    onNotice(notice) {
      state.hear(notice);
      if (!deps.isWatched()) opened.tell(notice);
    },
    onChange: state.changed,
    onAgentEvent(event) {
      if (event.type === 'usage.measured') state.measured(event.window);
    },
  };
}

/** Waits for a supervisor that is about to let go. */
async function superviseFreely(request: SuperviseRequest, signal: AbortSignal): Promise<SuperviseOutcome> {
  for (const deadline = performance.now() + HELD_MS; ; ) {
    const outcome = await superviseTerminal(request);
    if (outcome.status !== 'held' || signal.aborted || performance.now() > deadline) return outcome;
    await pause(AGAIN_MS, undefined, { signal }).catch(() => {});
  }
}

async function isRunning({ name, openHost }: SuperviseRequest): Promise<boolean> {
  const host = await openHost();
  try {
    return (await host.list()).some(({ terminalId, exit }) => terminalId === name && exit === undefined);
  } finally {
    host.close();
  }
}

function refusalOf(outcome: Exclude<SuperviseOutcome, { status: 'supervised' }>): Refusal {
  switch (outcome.status) {
    case 'held':
      return { status: 'refused', reason: `${outcome.by} supervises it and does not let go` };
    case 'nothing-to-supervise':
      return { status: 'not-running' };
    case 'foreign':
      return { status: 'unknown' };
    case 'not-started':
      return { status: 'refused', reason: `it could not be started: ${outcome.error}` };
  }
}

/** It has ended, and only its user can continue. */
const isGivenUp = (status: TerminalStatus | undefined): boolean =>
  status?.needs?.kind === 'escalation' && (status.state === undefined || status.state.activity === 'exited');
