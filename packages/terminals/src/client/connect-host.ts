import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { meetChallenge } from '../admission/challenge.js';
import { PROTOCOL_VERSION } from '../protocol/messages.js';
import type { TerminalHost } from '../terminal-host.js';
import { TerminalHostRefusedError, TerminalHostUnavailableError } from '../terminal-host-error.js';
import { createHostClient } from './host-client.js';
import { findLeftovers, type Leftover } from './leftovers.js';
import { type StartedHost, startHost } from './start-host.js';
import { type StartLock, tryLock } from './start-lock.js';

/** The smallest limit on a socket path among supported systems. */
const SOCKET_PATH_BYTES = 103;

/** Makes the folder of a host, for the user alone, and gives the path of its socket. */
function prepareFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  const uid = process.getuid?.();
  if (!stats.isDirectory() || (uid !== undefined && stats.uid !== uid)) {
    throw new TerminalHostUnavailableError(`${folder} must be a folder of your own; choose another one for the host`);
  }
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  const socketPath = join(folder, 'host.sock');
  if (Buffer.byteLength(socketPath) > SOCKET_PATH_BYTES) {
    throw new TerminalHostUnavailableError(
      `The path of the host's socket has more than ${SOCKET_PATH_BYTES} bytes, which the system does not take: choose a folder with a shorter path than ${folder}`,
    );
  }
  return socketPath;
}

export interface ConnectRequest {
  /** For the user alone: the socket, the records and the output are in it. One host for each folder. */
  readonly folder: string;
  readonly graceMs?: number;
  readonly exitedGraceMs?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface ConnectedHost {
  readonly host: TerminalHost;
  /** Whether there was none, so that this call started one. */
  readonly started: boolean;
  /** What dead hosts left running here. `endLeftovers` ends it. */
  readonly leftovers: readonly Leftover[];
}

const GRACE_MS = 10_000;
const EXITED_GRACE_MS = 60 * 60 * 1_000;
const TIMEOUT_MS = 60_000;
const RETRY_MS = 20;

/** Connects to the host of a folder and starts one where there is none. However many call at once, there is one host. */
export async function connectHost(request: ConnectRequest): Promise<ConnectedHost> {
  const { folder, graceMs = GRACE_MS, exitedGraceMs = EXITED_GRACE_MS, timeoutMs = TIMEOUT_MS, signal } = request;
  const socketPath = prepareFolder(folder);
  const deadline = performance.now() + timeoutMs;
  let lock: StartLock | undefined;
  let starting: StartedHost | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const socket = await tryConnect(socketPath);
      const host = socket === undefined ? undefined : await greet(socket, folder);
      if (host !== undefined) {
        return { host, started: starting !== undefined, leftovers: await findLeftovers(folder) };
      }
      if (starting?.ended === 'unused') starting = undefined;
      else if (starting?.ended !== undefined) throw starting.ended;
      if (performance.now() > deadline) {
        throw new TerminalHostUnavailableError(`No terminal host answered in ${folder} within ${timeoutMs} ms`);
      }
      if (lock === undefined) lock = tryLock(folder);
      else starting ??= startHost({ folder, socketPath, graceMs, exitedGraceMs }); // no host has answered since we took the lock
      await pause(RETRY_MS);
    }
  } finally {
    lock?.release();
  }
}

const tryConnect = (socketPath: string): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = createConnection(socketPath);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined)); // none there, or none that listens
  });

/** `undefined` where the host ended in this very moment: the system still took the connection for it. */
async function greet(socket: Socket, folder: string): Promise<TerminalHost | undefined> {
  const { hello, prove, ...client } = createHostClient(socket);
  try {
    const { instance, pid, challenge } = await hello(PROTOCOL_VERSION);
    if (challenge !== undefined) await show(folder, challenge, prove);
    return { instance, pid, ...client };
  } catch (error) {
    client.close();
    if (error instanceof TerminalHostUnavailableError) return undefined;
    if (!(error instanceof TerminalHostRefusedError)) throw error;
    if (error.refusal === 'not-allowed') {
      throw new TerminalHostUnavailableError(
        `The terminal host could not tell which process calls it: ${error.message}. Call it from outside of sandboxes and containers`,
        error,
      );
    }
    throw new TerminalHostUnavailableError(
      `The terminal host that runs here is of another version of devs: ${error.message}. Its agents keep running; end them with that version, or wait for them`,
      error,
    );
  }
}

/** Which process this is, by a file that it holds open for as long as the host looks. */
async function show(folder: string, challenge: string, prove: () => Promise<void>): Promise<void> {
  const proof = meetChallenge(folder, challenge);
  try {
    await prove();
  } finally {
    proof.close();
  }
}
