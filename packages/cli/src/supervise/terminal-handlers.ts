import { ApiError, type Output, type Terminal } from '@devs/api';
import { believed } from '@devs/core';
import type { Handlers } from '@devs/server';
import {
  type Caller,
  type SupervisorPort,
  type TerminalNews,
  type TerminalStarted,
  type TerminalStatus,
  whyHeldTerminalWaits,
} from '@devs/supervisor';
import { askSupervisor } from '../terminal/ask-supervisor.js';
import { chooseFreeName } from '../terminal/names/choose-free-name.js';
import { checkTerminalName } from '../terminal/names/terminal-name.js';
import { readRecordedLaunch } from '../terminal/recorded-launch.js';
import { stopTerminal } from '../terminal/stop-terminal.js';
import type { SupervisedWorld, TerminalSurroundings } from '../terminal/terminal-world.js';
import { asApiError } from './as-api-error.js';

type TerminalHandlers = Pick<
  Handlers,
  | 'terminals.list'
  | 'terminals.start'
  | 'terminals.hold'
  | 'terminals.provide'
  | 'terminals.wait'
  | 'terminals.attend'
  | 'terminals.leave'
  | 'terminals.send'
  | 'terminals.interrupt'
  | 'terminals.renew'
  | 'terminals.undo'
  | 'terminals.stop'
  | 'terminals.resume'
>;

export interface TerminalHandlersDeps {
  readonly port: SupervisorPort;
  /** Of the supervisor, for callers who have no environment, such as the page. */
  readonly own: Caller;
  readonly surroundings: (caller: Caller) => Promise<TerminalSurroundings>;
}

/** What the API offers about terminals. */
export function createTerminalHandlers({ port, own, surroundings }: TerminalHandlersDeps): TerminalHandlers {
  const { terminals } = port;
  const worldOf = async (caller: Caller = own): Promise<SupervisedWorld> => ({
    ...(await surroundings(caller)),
    supervisor: { use: (work) => work(port), once: (work) => work(port), ask: (work) => work(port) },
    caller,
  });
  const ask = <Result>(
    { terminal, caller }: { readonly terminal: string; readonly caller?: ApiCaller },
    work: Parameters<typeof askSupervisor<Result>>[2],
  ): Promise<Result> => asApiError(async () => askSupervisor(await worldOf(callerOf(caller, own)), terminal, work));
  return {
    'terminals.list': async () => ({ terminals: (await terminals.list()).flatMap((news) => listed(news) ?? []) }),
    'terminals.wait': async ({ terminal, seen = 0 }, { signal }) =>
      terminalNow(terminal, await terminals.wait(terminal, { seen }, signal)),
    'terminals.attend': async ({ terminal, window, typed, seen = 0 }, { signal }) =>
      terminalNow(terminal, await terminals.attend(terminal, { window, typed, seen }, signal)),
    async 'terminals.leave'({ terminal, window }) {
      await terminals.leave(terminal, window);
      return { status: 'done' };
    },
    'terminals.hold': ({ terminal: name, order, caller }) => terminals.start({ name, ...order }, callerOf(caller, own)),
    async 'terminals.provide'({ terminal, caller }) {
      await terminals.provide(terminal, callerOf(caller, own));
      return { status: 'done' };
    },
    'terminals.send': (to) => ask(to, (asked) => asked.send(to.terminal, to.text)),
    'terminals.interrupt': (to) => ask(to, (asked) => asked.interrupt(to.terminal, to.text)),
    'terminals.renew': (of) => ask(of, (asked) => asked.renew(of.terminal, { dropsDraft: of.dropsDraft ?? false })),
    'terminals.undo': (of) => ask(of, (asked) => asked.undo(of.terminal)),
    'terminals.stop': ({ terminal, caller }) =>
      asApiError(async () => stopTerminal(await worldOf(callerOf(caller, own)), terminal)),
    'terminals.start': ({ agent, args, name, location = { kind: 'project' }, caller }) =>
      asApiError(async () => {
        const world = await worldOf(callerOf(caller, own));
        const chosen = name === undefined ? await chooseFreeName(world) : checkTerminalName(name);
        const { folder } = world;
        const order = { token: world.newId(), name: chosen, agent, folder, store: location, ...sizeOf(caller) };
        return startedOf(chosen, await terminals.start({ ...order, subject: { kind: 'start', args } }, world.caller));
      }),
    'terminals.resume': ({ terminal: name, caller }) =>
      asApiError(async () => {
        const world = await worldOf(callerOf(caller, own));
        const { driver, args, folder, store } = await readRecordedLaunch(world, name);
        const order = { token: world.newId(), name, agent: driver.agent, folder, store, ...sizeOf(caller) };
        return startedOf(name, await terminals.start({ ...order, subject: { kind: 'resume', args } }, world.caller));
      }),
  };
}

/** What the API takes for a caller. */
interface ApiCaller extends Caller {
  readonly terminal?: { readonly columns: number; readonly rows: number };
}

/** A caller without an environment, such as the page, gets the one of the supervisor. */
function callerOf(caller: ApiCaller | undefined, own: Caller): Caller {
  if (caller === undefined) return own;
  const hasOwn = Object.keys(caller.environment).length > 0;
  return { folder: caller.folder, environment: hasOwn ? caller.environment : own.environment };
}

const sizeOf = (caller: ApiCaller | undefined) => (caller?.terminal === undefined ? {} : { size: caller.terminal });

function startedOf(name: string, started: TerminalStarted): Output<'terminals.start'> {
  switch (started.status) {
    case 'started':
      return { status: 'started', name };
    case 'taken':
      return {
        status: 'refused',
        reason: `a terminal ${name} runs already`,
        advice: 'Attach it, or choose another name.',
      };
    case 'refused':
      return started;
    case 'not-running':
    case 'unknown':
      return { status: 'refused', reason: `the agent in ${name} ended at once` };
  }
}

function terminalNow(name: string, news: TerminalNews | undefined): Output<'terminals.wait'> {
  if (news === undefined) throw new ApiError('not-found', `there is no supervised terminal ${name}`);
  const terminal = news.isOver ? undefined : listed(news);
  return { ...believed<Output<'terminals.wait'>>(news), ...(terminal === undefined ? {} : { terminal }) };
}

const NEEDS = { escalation: 'escalated', answer: 'waiting', arguments: 'arguments' } as const;

/** `undefined` until its agent is started. */
function listed({ run, status }: TerminalNews): Terminal | undefined {
  if (status === undefined) return undefined;
  const { state, usage, needs, conversationId, parkedUntil, resumeCommand, contextRefreshCount } = status;
  const waits = whyHeldTerminalWaits(status, Date.now());
  return {
    name: status.name,
    agent: status.agent,
    folder: status.folder,
    ...(run === undefined ? {} : { run }),
    activity: state?.activity ?? 'exited',
    ...(state === undefined ? {} : { since: state.since, detail: state.evidence.detail }),
    ...(usage === undefined ? {} : { usage: { usedTokens: usage.usedTokens, windowTokens: usage.windowTokens } }),
    pressure: status.pressure,
    mark: status.mark,
    isRenewing: status.contextRefreshState !== null,
    renewals: contextRefreshCount,
    contextRefreshCount,
    contextRefreshState: status.contextRefreshState,
    isSupervised: true,
    isAttended: status.isAttended,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(parkedUntil === undefined ? {} : { parkedUntil }),
    ...(resumeCommand === undefined ? {} : { resumeCommand }),
    ...(needs === undefined ? {} : { needs: needOf(needs) }),
    ...(waits === undefined ? {} : { waits }),
  };
}

const needOf = (needs: NonNullable<TerminalStatus['needs']>) => ({ ...needs, kind: NEEDS[needs.kind] });
