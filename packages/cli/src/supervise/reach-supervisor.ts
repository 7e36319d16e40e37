import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import { connectSupervisor, type SupervisorClient, SupervisorLostError } from './connect-supervisor.js';
import type { SupervisorPlaces } from './places.js';

export interface ReachRequest {
  readonly places: SupervisorPlaces;
  readonly version: string;
  /** Of this process. */
  readonly caller: Caller;
  /** What starts devs: `[node, devs.mjs]`. */
  readonly devsCommand: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly loadTerminals: () => Promise<Pick<typeof import('@devs/terminals'), 'tryLock'>>;
}

interface Reached {
  readonly client: SupervisorClient;
  /** By this process. */
  readonly isStarted: boolean;
  /** Version of the supervisor that was ended for it. */
  readonly replaced?: string;
}

/** What a supervisor needs of the environment of its first caller. Its agents have those of their own callers. */
const KEPT_VARIABLES = [
  'DEVS_MACHINE',
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'TMPDIR',
  'TZ',
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
];
const TIMEOUT_MS = 90_000;
const RETRY_MS = 30;

/** Whether a supervisor left something to do, and was not ended by the user. */
export function leftSomething({ entrusted, ended }: SupervisorPlaces): boolean {
  try {
    return !existsSync(ended) && readdirSync(entrusted).some((file) => file.endsWith('.json'));
  } catch {
    return false; // nothing was ever entrusted
  }
}

/** The running supervisor, or `undefined`. */
export const findSupervisor = ({ places, caller }: Pick<ReachRequest, 'places' | 'caller'>) =>
  connectSupervisor(places.socket, { caller });

/**
 * The supervisor of this user, which is started where there is none. One of an older devs is asked to let go, and its agents do not
 * notice. However many call at once, there is one.
 */
export async function reachSupervisor(request: ReachRequest): Promise<Reached> {
  const { places, version } = request;
  prepareFolder(places.folder);
  const { tryLock } = await request.loadTerminals();
  const deadline = performance.now() + TIMEOUT_MS;
  let lock: ReturnType<typeof tryLock>;
  let starting: ChildProcess | undefined;
  let replaced: string | undefined;
  try {
    for (;;) {
      const client = await findSupervisor(request);
      if (client !== undefined && !isNewer(version, client.version))
        return { client, isStarted: client.pid === starting?.pid, ...(replaced === undefined ? {} : { replaced }) };
      if (client !== undefined) {
        replaced = client.version;
        await letGo(client);
      }
      // Another supervisor was running and is gone, or this one was killed before it answered: start it again.
      if (starting?.exitCode === 0 || starting?.signalCode != null) starting = undefined;
      if (starting?.exitCode != null) throw new CliError(`the supervisor ended at its start:\n${tailOf(places.log)}`);
      if (performance.now() > deadline)
        throw new CliError(`no supervisor answers in ${places.folder}. See ${places.log}`);
      lock ??= tryLock(places.folder);
      if (client === undefined && lock !== undefined) starting ??= startSupervisor(request);
      await pause(RETRY_MS);
    }
  } finally {
    lock?.release();
  }
}

/** Between two of its decisions. */
async function letGo(client: SupervisorClient): Promise<void> {
  await client.port.shutdown('leave').catch((error: unknown) => {
    if (!(error instanceof SupervisorLostError)) throw error; // gone is what was asked for
  });
  client.close();
}

export const supervisorEnvironment = (env: ReachRequest['env']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    KEPT_VARIABLES.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

/** What `devs` is started with to become the supervisor. */
export const SUPERVISE = '--supervise';

function startSupervisor({ places, devsCommand: [file = '', ...args], env }: ReachRequest): ChildProcess {
  const log = openSync(places.log, 'a', 0o600);
  try {
    const child = spawn(file, [...args, SUPERVISE], {
      detached: true,
      cwd: places.folder,
      env: supervisorEnvironment(env),
      stdio: ['ignore', 'ignore', log],
    });
    child.once('error', () => {});
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** Only the user may look into it, or reach a socket in it. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  const uid = process.getuid?.();
  if (!stats.isDirectory() || (uid !== undefined && stats.uid !== uid))
    throw new CliError(`${folder} must be a folder of your own.`);
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function tailOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(-2_000).trim();
  } catch {
    return '';
  }
}

/** Whether a version is newer than another, by its numbers; what is no version is not. Pure. */
function isNewer(version: string, than: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(than)];
  if (own === undefined || other === undefined) return false;
  const at = own.findIndex((part, index) => part !== other[index]);
  return at !== -1 && (own[at] ?? 0) > (other[at] ?? 0);
}

function numbersOf(version: string): readonly number[] | undefined {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return parts.length === 3 ? parts.map(Number) : undefined;
}
