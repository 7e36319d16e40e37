import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ownMarks } from '../admission/seat.js';
import { buryHostRecord, readHostRecord, removeFile } from '../host/host-record.js';
import { isAlive } from '../processes/process-identity.js';
import { HOST_VARIABLE } from '../processes/process-mark.js';
import { TerminalHostUnavailableError } from '../terminal-host-error.js';

export interface StartHostRequest {
  readonly folder: string;
  readonly socketPath: string;
  readonly graceMs: number;
  readonly exitedGraceMs: number;
}

/** A host that was started, until it listens or ends. */
export interface StartedHost {
  /**
   * How it ended before it was reached. `unused`: no client came within its grace period, which happens on a busy
   * machine.
   */
  readonly ended: TerminalHostUnavailableError | 'unused' | undefined;
}

/** Variables that a host needs. Others may be secrets, and agents bring their own. */
const KEPT_VARIABLES = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'TZ', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'];

/**
 * Starts a host that outlives this process. Only for the holder of the lock: it removes the remains of a dead host,
 * and throws if the old host lives but cannot be reached.
 */
export function startHost({ folder, socketPath, graceMs, exitedGraceMs }: StartHostRequest): StartedHost {
  clearAway(folder, socketPath);
  const logPath = join(folder, 'host.log');
  const log = openSync(logPath, 'w', 0o600);
  const env = Object.fromEntries(
    KEPT_VARIABLES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  // `./host` of this package, from `src/` in tests as from `dist/`.
  const main = createRequire(import.meta.url).resolve('@devs/terminals/host');
  const args = [main, folder, socketPath, String(graceMs), String(exitedGraceMs)];
  const child = spawn(process.execPath, args, {
    detached: true,
    cwd: folder,
    env: { ...env, [HOST_VARIABLE]: ownMarks().join(' ') },
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  child.unref();
  let ended: StartedHost['ended'];
  const fail = (how: string) => {
    ended = new TerminalHostUnavailableError(`The terminal host ended at its start (${how}):\n${tailOf(logPath)}`);
  };
  child.once('error', (error) => fail(String(error)));
  child.once('exit', (code, signal) => {
    if (code === 0) ended = 'unused';
    else fail(signal ?? `code ${code}`);
  });
  return {
    get ended() {
      return ended;
    },
  };
}

function clearAway(folder: string, socketPath: string): void {
  const record = readHostRecord(folder);
  if (record !== undefined && isAlive(record)) {
    throw new TerminalHostUnavailableError(
      `A terminal host runs here as process ${record.pid}, but its socket does not answer. Wait half a minute, in which it makes its socket anew; or end that process, and its agents with it`,
    );
  }
  if (record !== undefined) buryHostRecord(folder, record);
  removeFile(socketPath);
}

function tailOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(-2_000).trim();
  } catch {
    return '';
  }
}
