import type { Terminal } from '@devs/api';
import type { SupervisorStatus } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import type { AskApi, AskedSupervisor } from './asked-supervisor.js';
import { type SupervisorClient, SupervisorLostError } from './connect-supervisor.js';
import { findSupervisor, type ReachRequest, reachSupervisor } from './reach-supervisor.js';

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
  /** This process started a supervisor, which continues what the one before it left. Must not throw. */
  onContinued(held: SupervisorStatus): void;
}

export function createSupervisorLink({ request, onContinued }: LinkDeps): SupervisorLink {
  let connected: Promise<SupervisorClient> | undefined;
  const connect = async (isFollowing = false): Promise<SupervisorClient> => {
    const known = await connected?.catch(() => undefined);
    if (known !== undefined && !known.isLost) return known;
    connected = request().then(async (wanted) => {
      const { client, isStarted } = await reachSupervisor(wanted);
      const held = isStarted && !isFollowing ? await client.port.status() : undefined; // who follows says so by itself
      if (held !== undefined && held.runs.length + held.terminals.length > 0) onContinued(held);
      return client;
    });
    connected.catch(() => {
      connected = undefined;
    });
    return connected;
  };
  const use = async <T>(work: (client: SupervisorClient) => Promise<T>, { onLost, onFound }: LinkNews = {}) => {
    for (let isAgain = false; ; isAgain = true) {
      const client = await connect(onLost !== undefined);
      try {
        if (isAgain) await onFound?.(client.port);
        return await work(client);
      } catch (error) {
        if (!(error instanceof SupervisorLostError)) throw error;
        onLost?.();
      }
    }
  };
  const ask = async <T>(work: (client: SupervisorClient) => Promise<T>): Promise<T | undefined> => {
    const known = await connected?.catch(() => undefined);
    const client = known !== undefined && !known.isLost ? known : await findSupervisor(await request());
    if (client === undefined) return undefined;
    try {
      return await work(client);
    } catch (error) {
      if (error instanceof SupervisorLostError) return undefined;
      throw error;
    } finally {
      if (client !== known) client.close();
    }
  };
  return {
    use: (work, news) => use(({ port }) => work(port), news),
    call: (...asked) => use(({ call }) => call(...asked)),
    async once(work) {
      const { port } = await connect();
      return work(port).catch((error: unknown) => {
        if (!(error instanceof SupervisorLostError)) throw error;
        throw new CliError('the supervisor went away before it answered. Look with `devs` whether it was done.');
      });
    },
    ask: (work) => ask(({ port }) => work(port)),
    heldTerminals: async () => (await ask(({ call }) => call('terminals.list', {})))?.terminals,
    async ownTerminal(name) {
      const { connectSupervisor } = await import('@devs/server/client');
      try {
        const client = await connectSupervisor((await request()).places.socket);
        return await client?.call('terminals.get', { terminal: name }).finally(client.close);
      } catch {
        return undefined; // it is not held, or this process may not know
      }
    },
    close() {
      void connected?.then((client) => client.close()).catch(() => {});
    },
  };
}
