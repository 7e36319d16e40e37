import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Supervisor, SupervisorPort } from '@devs/supervisor';
import { type StartLock, tryLock } from '@devs/terminals';
import { composeSupervisor } from './compose-supervisor.js';
import type { SupervisorPlaces } from './places.js';
import { prepareFolder } from './reach-supervisor.js';
import { type ServedApi, serveApi } from './serve-api.js';

export interface SuperviseOptions {
  /** Stays, also with nothing to supervise. */
  readonly keeps: boolean;
  /** How long it stays with nothing to supervise and no connection. */
  readonly idleMs: number;
  /** It supervises from now on. */
  onBegin?(): void;
}

/** Supervises for this user until nothing is left for a while, or it is asked to end. `already-there`: another one does. */
export async function runSupervisor(
  process: NodeJS.Process,
  { keeps, idleMs, onBegin }: SuperviseOptions,
): Promise<'ended' | 'already-there'> {
  let clients = 0;
  let isWatched = false;
  let leavesRuns = false;
  let idle: NodeJS.Timeout | undefined;
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const consider = () => {
    clearTimeout(idle);
    if (!leavesRuns) void memory.guard(supervisor.isBusy).catch(() => {}); // told again when the host is there
    if (!supervisor.isNeeded && clients === 0 && !isWatched) idle = setTimeout(finish, idleMs);
  };
  let served: ServedApi | undefined;
  const { supervisor, memory, places, hostFolder, version, api } = await composeSupervisor(process, {
    onChange() {
      queueMicrotask(consider);
      served?.changed();
    },
    onEnd: () => finish(),
  });
  const lock = await takePlace(places);
  if (lock === undefined) return 'already-there';
  rmSync(places.ended, { force: true });
  if (keeps || existsSync(places.stays)) await supervisor.keep();
  await supervisor.adopt();
  const port = stayingPort(supervisor, places);
  served = await serveApi({
    ...api,
    port,
    version,
    socketPath: places.socket,
    hostFolder,
    onClients(count) {
      clients = count;
      consider();
    },
    onWatched(is) {
      isWatched = is;
      consider();
    },
  });
  consider();
  process.on('SIGHUP', () => {}); // the window that it was started from is no concern of it
  const leave = () => {
    leavesRuns ||= supervisor.isBusy; // agents continue: the host starts the next supervisor for them
    void supervisor.shutdown('leave');
  };
  process.once('SIGTERM', leave).once('SIGINT', leave);
  onBegin?.();
  await finished;
  await served.close();
  await memory.close({ guarded: leavesRuns });
  lock.release();
  return 'ended';
}

/** What the user wants of it outlives it. */
const stayingPort = (supervisor: Supervisor, { stays, ended }: SupervisorPlaces): SupervisorPort => ({
  ...supervisor,
  async keep() {
    writeFileSync(stays, '', { mode: 0o600 });
    await supervisor.keep();
  },
  async shutdown(how) {
    if (how === 'pause') {
      rmSync(stays, { force: true });
      writeFileSync(ended, '', { mode: 0o600 });
    }
    await supervisor.shutdown(how);
  },
});

const PLACE_MS = 15_000;
const RETRY_MS = 50;

/** One for each user: the one before may be on its way out. `undefined` where another one answers. */
async function takePlace({ folder, socket }: SupervisorPlaces): Promise<StartLock | undefined> {
  prepareFolder(folder);
  for (const deadline = performance.now() + PLACE_MS; ; await pause(RETRY_MS)) {
    const lock = tryLock(folder, 'running.lock');
    if (lock !== undefined) return lock;
    if (await isServed(socket)) return undefined;
    if (performance.now() > deadline) throw new Error(`another supervisor runs in ${folder} and does not answer`);
  }
}

const isServed = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(path);
    const settle = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
