import type { ApiClient } from '@devs/api';
import type { Caller } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import {
  type AskApi,
  type AskedSupervisor,
  createAskedSupervisor,
  SupervisorRefusedError,
} from './asked-supervisor.js';

/** The supervisor ended before it answered: it may have done what was asked. */
export class SupervisorLostError extends Error {
  constructor(options?: ErrorOptions) {
    super('the supervisor of devs went away', options);
  }
}

export interface SupervisorClient {
  readonly port: AskedSupervisor;
  /** Everything else of its API. Rejects as `port` does. */
  readonly call: AskApi;
  readonly version: string;
  readonly pid: number;
  readonly isLost: boolean;
  close(): void;
}

/** More than a busy machine takes. */
const GREETING_MS = 10_000;
const NOBODY: Caller = { folder: '/', environment: {} };

export interface ConnectOptions {
  /** Of this process. */
  readonly caller?: Caller;
  readonly greetingMs?: number;
}

/** `undefined`: no supervisor listens there. Throws where one listens and does not answer, or refuses this process. */
export async function connectSupervisor(
  socketPath: string,
  { caller = NOBODY, greetingMs = GREETING_MS }: ConnectOptions = {},
): Promise<SupervisorClient | undefined> {
  const { connectSupervisor: connect } = await import('@devs/server/client'); // commands that need none start without it
  const signal = AbortSignal.timeout(greetingMs);
  const explain = (error: unknown): never => {
    if (!signal.aborted) throw error;
    throw new CliError(`the supervisor of devs at ${socketPath} does not answer. If it stays so, end its process`);
  };
  const api = await connect(socketPath, { readmits: false, signal }).catch(explain);
  if (api === undefined) return undefined;
  let isLost = false;
  const call = createCall(api, () => {
    isLost = true;
  });
  try {
    if (api.scope === 'agent')
      throw new CliError('it was asked for inside of a terminal of devs. Ask from another window');
    const { version, pid } = await call('status.get', {}, { signal }).catch(explain);
    return {
      port: createAskedSupervisor(call, caller),
      call,
      version,
      pid,
      get isLost() {
        return isLost;
      },
      close: api.close,
    };
  } catch (error) {
    api.close();
    if (error instanceof SupervisorLostError) return undefined; // it ended in this very moment
    throw error;
  }
}

/** Errors of a connection that ended, or that could not be made. */
const GONE = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

const createCall =
  ({ call }: ApiClient, onLost: () => void): AskApi =>
  async (name, input, options) => {
    try {
      return await call(name, input, options);
    } catch (error) {
      const problem = await problemOf(error);
      // Another supervisor is there, which does not know this process.
      if (problem === 'no-capability' || GONE.has((error as NodeJS.ErrnoException).code ?? '')) {
        onLost();
        throw new SupervisorLostError({ cause: error });
      }
      if (problem === undefined) throw error;
      throw new SupervisorRefusedError(problem, (error as Error).message, { cause: error });
    }
  };

async function problemOf(error: unknown) {
  const { ApiError } = await import('@devs/api');
  return error instanceof ApiError ? error.code : undefined;
}
