import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess, type ProcessIdentity } from '../processes/process-identity.js';
import type { Params } from '../protocol/messages.js';

/** How a supervisor is started again. */
type GuardOrder = Params<'guard'>;

/** Starts the supervisor again when its connection is lost, so that no agent is left without one. */
export interface Guard<Client> {
  /** The supervisor that this host has started, while it runs. */
  readonly started: ProcessIdentity | undefined;
  /** Whether a supervisor is expected back. */
  readonly isWaiting: boolean;
  /** This client supervises from now on. */
  set(client: Client, order: GuardOrder): void;
  /** It has nothing left to supervise, and may go. */
  release(client: Client): void;
  /** A client has gone. */
  lost(client: Client): void;
  close(): void;
}

/** The waits before each start. A supervisor that dies more often than that within the window needs a person. */
const DELAYS_MS = [0, 1_000, 5_000, 15_000, 30_000];
const WINDOW_MS = 10 * 60_000;

export function createGuard<Client>({
  folder,
  onChange,
}: {
  readonly folder: string;
  onChange(): void;
}): Guard<Client> {
  let guarding: { readonly client: Client | undefined; readonly order: GuardOrder } | undefined;
  let started: ProcessIdentity | undefined;
  let timer: NodeJS.Timeout | undefined;
  let starts: readonly number[] = [];

  const startLater = () => {
    const now = Date.now();
    starts = starts.filter((at) => now - at < WINDOW_MS);
    const delayMs = DELAYS_MS[starts.length];
    if (delayMs === undefined) {
      guarding = undefined;
      process.stderr.write(`the supervisor ended ${starts.length} times within ten minutes: not started again\n`);
      return onChange();
    }
    starts = [...starts, now];
    timer = setTimeout(start, delayMs);
  };
  const start = () => {
    timer = undefined;
    if (guarding === undefined || guarding.client !== undefined) return;
    const child = spawnSupervisor(folder, guarding.order, () => {
      if (started === identity) started = undefined;
      if (guarding !== undefined && guarding.client === undefined && timer === undefined) startLater();
      onChange();
    });
    const identity = child?.pid === undefined ? undefined : identifyProcess(child.pid);
    started = identity;
    onChange();
  };
  return {
    get started() {
      return started;
    },
    get isWaiting() {
      return guarding !== undefined && guarding.client === undefined;
    },
    set(client, order) {
      clearTimeout(timer);
      timer = undefined;
      guarding = { client, order };
    },
    release(client) {
      if (guarding?.client === client) guarding = undefined;
    },
    lost(client) {
      if (guarding?.client !== client) return;
      guarding = { client: undefined, order: guarding.order };
      startLater();
    },
    close: () => clearTimeout(timer),
  };
}

/** `onEnd`: it is over, or was never there. Later and once, and nothing is thrown: the host outlives all of it. */
function spawnSupervisor(folder: string, order: GuardOrder, onEnd: () => void): ChildProcess | undefined {
  const [file = '', ...args] = order.command;
  try {
    const log = openSync(join(folder, 'supervisor-start.log'), 'a', 0o600);
    try {
      const { cwd, env } = order;
      const child = spawn(file, args, { detached: true, cwd, env, stdio: ['ignore', 'ignore', log] });
      child.on('error', (error) => {
        if (child.pid === undefined) endedUnstarted(error, onEnd);
      });
      child.once('exit', onEnd);
      child.unref();
      return child;
    } finally {
      closeSync(log);
    }
  } catch (error) {
    setImmediate(endedUnstarted, error, onEnd);
    return undefined;
  }
}

function endedUnstarted(error: unknown, onEnd: () => void): void {
  process.stderr.write(`the supervisor could not be started: ${String(error)}\n`);
  onEnd();
}
