import type { TerminalNotice } from '../notice.js';
import type { SupervisedTerminal, TerminalStatus } from '../supervised-terminal.js';
import { createNews, createNoticeList } from './news.js';
import { createPromised } from './promised.js';
import type { TerminalNews, TerminalStarted } from './terminal-port.js';

/** Why a terminal was not started. */
export type Refusal = Exclude<TerminalStarted, { status: 'started' }>;

/** What is known of one terminal, for its followers. */
export interface TerminalState {
  readonly news: ReturnType<typeof createNews<TerminalNews>>;
  readonly started: Promise<TerminalStarted>;
  /** Its agent has ended, or it is let go. */
  readonly ended: Promise<void>;
  /** Aborted when it is let go. */
  readonly leaving: AbortSignal;
  readonly terminal: SupervisedTerminal | undefined;
  readonly isOver: boolean;
  readonly isLeft: boolean;
  readonly isEnding: boolean;
  /** Does something with it, which `acted` waits for. */
  act<Result>(work: (terminal: SupervisedTerminal) => Promise<Result>): Promise<Result>;
  acted(): Promise<void>;
  changed(): void;
  measured(by: string): void;
  hear(notice: TerminalNotice): void;
  took(terminal: SupervisedTerminal): void;
  refuse(refusal: Refusal): void;
  leave(): void;
  over(): void;
}

export function createTerminalState(name: string): TerminalState {
  const own: Held = { name, isOver: false };
  const [started, ended] = [createPromised<TerminalStarted>(), createPromised<void>()];
  const [leaving, ending] = [new AbortController(), new AbortController()];
  const news = createNews<TerminalNews>((revision) =>
    describe(own, { revision, notices: notices.list(), isLeft: leaving.signal.aborted }),
  );
  const notices = createNoticeList(() => news.changed());
  const end = () => {
    ending.abort();
    ended.resolve();
  };
  return {
    ...createActs(own),
    ...createListeners(own, { news, addNotice: notices.add, end }),
    news,
    started: started.promise,
    ended: ended.promise,
    leaving: leaving.signal,
    get terminal() {
      return own.terminal;
    },
    get isOver() {
      return own.isOver;
    },
    get isLeft() {
      return leaving.signal.aborted;
    },
    get isEnding() {
      return ending.signal.aborted;
    },
    took(terminal) {
      own.terminal = terminal;
      started.resolve({ status: 'started', name, notes: terminal.status().notes });
      news.changed();
    },
    refuse: started.resolve,
    leave() {
      leaving.abort();
      news.changed();
      end();
    },
    over() {
      own.last = own.terminal?.status();
      own.terminal = undefined;
      own.isOver = true;
      started.resolve({ status: 'not-running' });
      news.over();
    },
  };
}

interface Held {
  readonly name: string;
  terminal?: SupervisedTerminal | undefined;
  /** Of a terminal that is over. */
  last?: TerminalStatus | undefined;
  window?: TerminalNews['window'];
  isOver: boolean;
}

function describe(
  { name, terminal, last, window, isOver }: Held,
  told: Pick<TerminalNews, 'revision' | 'notices' | 'isLeft'>,
): TerminalNews {
  const status = terminal?.status() ?? last;
  return {
    ...told,
    name,
    ...(status === undefined ? {} : { status }),
    ...(window === undefined ? {} : { window }),
    isOver,
  };
}

function createActs(own: Held): Pick<TerminalState, 'act' | 'acted'> {
  const acts = new Set<Promise<unknown>>();
  return {
    act(work) {
      if (own.terminal === undefined) throw new Error(`terminal ${own.name} is not supervised`);
      const acting = work(own.terminal);
      acts.add(acting);
      return acting.finally(() => acts.delete(acting));
    },
    acted: async () => void (await Promise.allSettled(acts)),
  };
}

interface Listening {
  readonly news: TerminalState['news'];
  addNotice(notice: TerminalNotice): void;
  end(): void;
}

const createListeners = (
  own: Held,
  { news, addNotice, end }: Listening,
): Pick<TerminalState, 'changed' | 'measured' | 'hear'> => ({
  changed() {
    if (isGivenUp(own.terminal?.status())) end();
    news.changed();
  },
  measured(by) {
    own.window = by === 'assumed' || by === 'unknown' ? by : undefined;
    news.changed();
  },
  hear(notice) {
    addNotice(notice);
    if (notice.kind === 'done' || notice.kind === 'lost') end();
  },
});

/** It has ended, and only its user can continue. */
const isGivenUp = (status: TerminalStatus | undefined): boolean =>
  status?.needs?.kind === 'escalation' && (status.state === undefined || status.state.activity === 'exited');
