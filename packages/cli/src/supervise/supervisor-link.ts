import { setTimeout as pause } from 'node:timers/promises';
import type { Terminal } from '@devs/api';
import type { SupervisorStatus } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import type { AskApi, AskedSupervisor } from './asked-supervisor.js';
import { type SupervisorClient, SupervisorLostError } from './connect-supervisor.js';
import { findSupervisor, leftSomething, type ReachRequest, reachSupervisor } from './reach-supervisor.js';

/** The supervisor of the user, also after it was started again. */
export interface SupervisorLink {
  /** Asks it, and starts one where there is none. Asks the next one again where it is lost meanwhile: what is asked may be repeated. */
  use<T>(work: (port: AskedSupervisor) => Promise<T>, news?: LinkNews): Promise<T>;
  /** Asks it once, and starts one where there is none. Rejects where it is lost meanwhile: what is asked may have been done. */
  once<T>(work: (port: AskedSupervisor) => Promise<T>): Promise<T>;
  /** Asks the running supervisor. `undefined` where none runs. */
  ask<T>(work: (port: AskedSupervisor) => Promise<T>): Promise<T | undefined>;
  /** As `use`, for what is no concern of runs and terminals. */
  call: AskApi;
  /**
   * Starts a supervisor where the last one is gone and left something to do, if this process may. Resolves when that is at
   * work again, or after a while.
   */
  continueLeft(may: () => Promise<boolean>): Promise<void>;
  /** Terminals that the supervisor that runs holds. `undefined` where there is none. */
  heldTerminals(): Promise<readonly Terminal[] | undefined>;
  /** What an agent may know of the terminal that it runs in. `undefined` where no supervisor holds it. */
  ownTerminal(name: string): Promise<Terminal | undefined>;
  close(): void;
}

interface LinkNews {
  onLost?(): void;
  /** Another one is there. */
  onFound?(port: AskedSupervisor): Promise<void>;
}

interface LinkDeps {
  readonly request: () => Promise<ReachRequest>;
  /** This process started a supervisor, which continues what the one before it left. `replaced`: its version. Must not throw. */
  onContinued(held: SupervisorStatus, replaced: string | undefined): void;
}

/** More than a start takes; keys that are gone are waited for as well. */
const MAX_MS = 20_000;

/** Until the runs that a new supervisor has found are at work again, wait, or are over. */
async function untilBegun({ port }: SupervisorClient, { runs }: SupervisorStatus): Promise<void> {
  const late = new AbortController();
  const begun = runs.map(async ({ id }) => {
    for (let seen = 0; !late.signal.aborted; ) {
      const news = await port.runs.wait(id, { seen }, late.signal);
      if (news === undefined || news.status !== undefined || news.isOver) return;
      seen = news.revision;
    }
  });
  await Promise.race([Promise.allSettled(begun), pause(MAX_MS, undefined, { signal: late.signal })]).finally(() =>
    late.abort(),
  );
}

export function createSupervisorLink(deps: LinkDeps): SupervisorLink {
  const { connect, use, ask, known } = createConnection(deps);
  return {
    use: (work, news) => use(({ port }) => work(port), news),
    call: (...asked) => use(({ call }) => call(...asked)),
    async once(work) {
      const { client } = await connect();
      return work(client.port).catch((error: unknown) => {
        if (!(error instanceof SupervisorLostError)) throw error;
        throw new CliError('the supervisor went away before it answered. Look with `devs` whether it was done.');
      });
    },
    ask: (work) => ask(({ port }) => work(port)),
    async continueLeft(may) {
      if (!leftSomething((await deps.request()).places) || !(await may())) return;
      if ((await ask(async () => true)) === true) return; // also one of an older devs: who only looks replaces none
      const { client, continued } = await connect();
      if (continued !== undefined) await untilBegun(client, continued);
    },
    heldTerminals: async () => (await ask(({ call }) => call('terminals.list', {})))?.terminals,
    async ownTerminal(name) {
      const { connectSupervisor } = await import('@devs/server/client');
      try {
        const client = await connectSupervisor((await deps.request()).places.socket);
        return await client?.call('terminals.get', { terminal: name }).finally(client.close);
      } catch {
        return undefined; // it is not held, or this process may not know
      }
    },
    close: () => void known().then((client) => client?.close()),
  };
}

interface Connected {
  readonly client: SupervisorClient;
  /** What it found when this process started it. */
  readonly continued?: SupervisorStatus;
}

/** One connection, made where it is needed first, and anew where it is lost. */
function createConnection({ request, onContinued }: LinkDeps) {
  let connected: Promise<Connected> | undefined;
  const current = async (): Promise<Connected | undefined> => {
    const now = await connected?.catch(() => undefined);
    return now?.client.isLost === false ? now : undefined;
  };
  const reach = async (isFollowing: boolean): Promise<Connected> => {
    const { client, isStarted, replaced } = await reachSupervisor(await request());
    if (!isStarted || isFollowing) return { client }; // who follows says so by itself
    const held = await client.port.status();
    if (held.runs.length + held.terminals.length === 0) return { client };
    onContinued(held, replaced);
    return { client, continued: held };
  };
  const connect = async (isFollowing = false): Promise<Connected> => {
    const now = await current();
    if (now !== undefined) return now;
    connected = reach(isFollowing);
    connected.catch(() => {
      connected = undefined;
    });
    return connected;
  };
  return {
    connect,
    known: async () => (await current())?.client,
    async use<T>(work: (client: SupervisorClient) => Promise<T>, { onLost, onFound }: LinkNews = {}): Promise<T> {
      for (let isAgain = false; ; isAgain = true) {
        const { client } = await connect(onLost !== undefined);
        try {
          if (isAgain) await onFound?.(client.port);
          return await work(client);
        } catch (error) {
          if (!(error instanceof SupervisorLostError)) throw error;
          onLost?.();
        }
      }
    },
    async ask<T>(work: (client: SupervisorClient) => Promise<T>): Promise<T | undefined> {
      const known = (await current())?.client;
      const client = known ?? (await findSupervisor(await request()));
      if (client === undefined) return undefined;
      try {
        return await work(client);
      } catch (error) {
        if (error instanceof SupervisorLostError) return undefined;
        throw error;
      } finally {
        if (client !== known) client.close();
      }
    },
  };
}
