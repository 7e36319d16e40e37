import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@devs/core';
import type { UserPresence } from '../attendance.js';
import { openTerminalRecord } from '../record/terminal-record.js';
import { superviseTerminal } from '../supervise-terminal.js';
import type { SupervisedTerminal, SuperviseOutcome, SuperviseRequest } from '../supervised-terminal.js';
import { awaitKeys, goneKeys, type MissingKeys } from './keys.js';
import type { Caller, WaitFor } from './port.js';
import type { JobDeps } from './run-job.js';
import type { TerminalNews, TerminalOrder, TerminalStarted } from './terminal-port.js';
import { createTerminalState, type Refusal, type TerminalState } from './terminal-state.js';
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
  /** A caller that may have its keys. */
  provide(caller: Caller): void;
}

/** The next supervisor found it in the vault. */
export interface TerminalAdoption {
  readonly isAttended: boolean;
  /** Names of keys that are gone with the host. */
  readonly missing: readonly string[];
}

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
  const keys = awaitKeys(caller, adopted?.missing ?? [], deps.patienceMs);
  const own: Holding = {
    deps,
    order,
    adopted,
    state,
    keys,
    caller,
    isAttended: adopted?.isAttended ?? order.window !== undefined,
  };
  const done = hold(own)
    .catch((error: unknown) => state.refuse({ status: 'refused', reason: messageOf(error) }))
    .then(async () => {
      if (!state.isLeft) await deps.vault.forget(vaultId(order.name));
      state.over();
      deps.onChange();
    });
  return jobOf(own, done);
}

/** A terminal while it is held. */
interface Holding {
  readonly deps: JobDeps & Watched;
  readonly order: TerminalOrder;
  readonly adopted: TerminalAdoption | undefined;
  readonly state: TerminalState;
  readonly keys: MissingKeys;
  /** With the keys, once they are known. */
  caller: Caller;
  isAttended: boolean;
}

/** From its start until its agent has ended, or it is let go. */
async function hold(own: Holding): Promise<void> {
  const { deps, order, adopted, state, keys } = own;
  const known = await keys.found();
  own.caller = known ?? own.caller;
  const opened = await deps.workshop.openTerminal(order, own.caller);
  try {
    if (known === undefined) return await askForKeys(own, opened);
    if (order.subject.kind === 'start' && (await isRunning(opened.request))) return state.refuse({ status: 'taken' });
    await keep(own);
    const outcome = await superviseFreely(requestOf(own, opened), state.leaving);
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
}

/** The arguments go along in memory: the records have them without what looks like a secret. */
async function keep({ deps, order, caller, isAttended }: Holding): Promise<void> {
  const { args } = order.subject;
  const subject = { kind: 'take-up', ...(args === undefined ? {} : { args }) } as const;
  const id = vaultId(order.name);
  await deps.vault.keep({ id, kind: 'terminal', order: { ...order, subject }, caller, isAttended });
}

/** Its agent ended with its host, and would start without what it needs. */
async function askForKeys(
  { order: { name }, adopted, state }: Holding,
  { request, tell }: OpenedTerminal,
): Promise<void> {
  const reason = `${goneKeys(adopted?.missing ?? [])}. Continue it from a shell that has them: devs resume ${name}`;
  const record = openTerminalRecord(request.store.log, name);
  await record.read();
  await record.append({ type: 'escalation.raised', why: reason });
  tell({ kind: 'escalated', why: reason });
  state.refuse({ status: 'refused', reason });
}

function jobOf(own: Holding, done: Promise<void>): TerminalJob {
  const { order, state, keys } = own;
  const { token, name, folder } = order;
  return {
    token,
    name,
    folder,
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
    news: state.news.read,
    wait: ({ seen }, signal) => state.news.wait(seen, signal),
    attended(is) {
      if (is === own.isAttended) return;
      own.isAttended = is;
      if (state.terminal !== undefined) void keep(own).catch(() => {}); // without it the next one assumes what was so before
    },
    async leave() {
      if (state.isOver) return;
      state.leave();
      await done;
    },
    provide: keys.provide,
  };
}

/** No id of a run or queue has a dot. */
const vaultId = (name: string): string => `terminal.${name}`;

function requestOf({ order, state, deps, isAttended }: Holding, opened: OpenedTerminal): SuperviseRequest {
  const { subject, size } = order;
  return {
    ...opened.request,
    attended: isAttended,
    ...(size === undefined ? {} : { size }),
    ...launchOf(subject),
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

function launchOf(
  subject: TerminalOrder['subject'],
): Pick<SuperviseRequest, 'launch' | 'knownArgs' | 'resumesStopped'> {
  if (subject.kind === 'take-up') return subject.args === undefined ? {} : { knownArgs: subject.args };
  const launch = { userArgs: subject.args };
  return subject.kind === 'start' ? { launch } : { launch, resumesStopped: { prompt: '' } }; // its user says what is next
}

/** Long enough for a supervisor that ends, or was killed. */
const HELD_MS = 20_000;
const AGAIN_MS = 500;

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
