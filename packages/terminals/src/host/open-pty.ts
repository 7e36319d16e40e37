import { randomInt } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { ConnectOpts, SocketConstructorOpts } from 'node:net';
import { ReadStream } from 'node:tty';
import { createInputQueue, type InputOutcome } from './input-queue.js';
import { type ForkRequest, forkPty, resizePty } from './native-pty.js';

interface PtyExit {
  readonly exitCode: number;
  readonly signal?: number;
  readonly tail: 'complete' | 'uncertain';
}

export interface Pty {
  readonly pid: number;
  readonly fds: readonly number[];
  write(bytes: Buffer): Promise<InputOutcome>;
  resize(columns: number, rows: number): void;
}

export interface PtyRequest extends Omit<ForkRequest, 'onExit'> {
  /** Read buffer. All terminals of a process may share one. */
  readonly readBuffer: Buffer;
  /** The bytes are only there until it returns. */
  onOutput(bytes: Buffer): void;
  /** Called once, after the last byte of the agent was given to `onOutput`. */
  onExit(exit: PtyExit): void;
}

/** After this long without progress, the rest of the output is abandoned. */
const TAIL_TIMEOUT_MS = 5_000;
const TAIL_RETRY_MS = 10;
const NONCE_DIGITS = 32;
const XON = Buffer.from([0x11]);

/**
 * A PTY that never loses an agent's last output.
 *
 * node-pty's own class does, on Node 20 and 22: libuv takes a hang-up for the end although bytes are still unread, and
 * the class closes the terminal 200 ms after the exit. So this holds the other side open, which prevents the hang-up,
 * and writes a random number to it after the exit: once that is read, so is everything before it.
 */
export function openPty({ onOutput, onExit, readBuffer, ...request }: PtyRequest): Pty {
  const { fd, pid, path } = forkPty({ ...request, onExit: (exitCode, signal) => begin(exitCode, signal) });
  // NOCTTY: the host has no terminal, and this must not become it.
  const slave = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  let tail: Tail | undefined;
  // One shared buffer: a fresh 64 KB buffer for each 4 KB of output would keep the garbage collector busy.
  const callback = (count: number): boolean => {
    const bytes = readBuffer.subarray(0, count);
    if (tail === undefined) onOutput(bytes);
    else tail.take(bytes);
    return true;
  };
  // The types know `onread` for sockets that connect only; every socket takes it.
  const options: ConnectOpts = { onread: { buffer: readBuffer, callback } };
  const stream = new ReadStream(fd, options as SocketConstructorOpts);
  stream.resume();
  const input = createInputQueue(fd);

  stream.on('error', () => tail?.giveUp()); // EIO after the exit, where the system hangs up in spite of us

  function begin(exitCode: number, signal: number): void {
    input.end();
    tail = createTail({
      slave,
      wake: () => void input.force(XON),
      onOutput,
      onEnd(outcome) {
        stream.destroy();
        closeSync(slave);
        onExit({ exitCode, ...(signal === 0 ? {} : { signal }), tail: outcome });
      },
    });
  }

  return {
    pid,
    fds: [fd, slave],
    write: input.write,
    resize: (columns, rows) => {
      if (tail === undefined) resizePty(fd, columns, rows);
    },
  };
}

interface Tail {
  take(bytes: Buffer): void;
  giveUp(): void;
}

interface TailRequest {
  readonly slave: number;
  /** Resumes output stopped with Ctrl-S. */
  wake(): void;
  onOutput(bytes: Buffer): void;
  onEnd(outcome: PtyExit['tail']): void;
}

function createTail({ slave, wake, onOutput, onEnd }: TailRequest): Tail {
  // Digits only: terminals do not translate them as they do letters and newlines.
  const nonce = Buffer.from(Array.from({ length: NONCE_DIGITS }, () => randomInt(10)).join(''));
  let unwritten: Buffer = nonce;
  let held: Buffer = Buffer.alloc(0);
  let progressAt = performance.now();
  let woken = false;
  let over = false;

  const end = (outcome: PtyExit['tail'], rest: Buffer) => {
    over = true;
    clearInterval(timer);
    if (rest.length > 0) onOutput(rest);
    onEnd(outcome);
  };
  const push = () => {
    unwritten = unwritten.subarray(writeSome(slave, unwritten));
    const idleMs = performance.now() - progressAt;
    if (idleMs > TAIL_TIMEOUT_MS) return end('uncertain', held);
    if (idleMs > TAIL_TIMEOUT_MS / 10 && !woken) {
      woken = true;
      wake();
    }
  };
  const timer = setInterval(push, TAIL_RETRY_MS);
  push();

  return {
    take(bytes) {
      if (over) return;
      progressAt = performance.now();
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const at = all.indexOf(nonce);
      if (at !== -1) return end('complete', Buffer.concat([all.subarray(0, at), all.subarray(at + nonce.length)]));
      const safe = Math.max(0, all.length - nonce.length + 1); // the rest may be the beginning of the nonce
      if (safe > 0) onOutput(all.subarray(0, safe));
      held = Buffer.from(all.subarray(safe));
    },
    giveUp() {
      if (!over) end('uncertain', held);
    },
  };
}

/** Writes as much as the terminal takes now: a terminal full of unread bytes takes nothing. */
function writeSome(fd: number, bytes: Buffer): number {
  try {
    return bytes.length === 0 ? 0 : writeSync(fd, bytes);
  } catch {
    return 0;
  }
}
