import { writeSync } from 'node:fs';

export type InputOutcome = 'written' | 'backlog' | 'exited';

export interface InputQueue {
  /** Resolves when the terminal has taken all of it. A terminal that does not read queues at most `BACKLOG_BYTES`. */
  write(bytes: Buffer): Promise<InputOutcome>;
  /** Past the queue, and only if there is room. */
  force(bytes: Buffer): void;
  end(): void;
}

const BACKLOG_BYTES = 4 << 20;
const RETRY_MS = 5;
const MAX_RETRY_MS = 80;

interface Waiting {
  bytes: Buffer;
  readonly settle: (outcome: InputOutcome) => void;
}

/**
 * Writes to a terminal without ever waiting for it. The stream over the same descriptor would: libuv writes to terminals
 * until they have taken everything, and an agent that does not read would stop the host.
 */
export function createInputQueue(fd: number): InputQueue {
  const queue: Waiting[] = [];
  let queued = 0;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;

  const flush = (retryMs: number) => {
    timer = undefined;
    let wrote = false;
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const count = writeSome(fd, first.bytes);
      if (count === 'failed') return end();
      if (count === 0) break;
      wrote = true;
      queued -= count;
      first.bytes = first.bytes.subarray(count);
      if (first.bytes.length === 0) queue.shift()?.settle('written');
    }
    if (queue.length === 0) return;
    const nextMs = wrote ? RETRY_MS : Math.min(MAX_RETRY_MS, retryMs * 2);
    timer = setTimeout(() => flush(nextMs), nextMs);
  };
  const end = () => {
    ended = true;
    clearTimeout(timer);
    for (const { settle } of queue.splice(0)) settle('exited');
  };

  return {
    write: (bytes) =>
      new Promise((settle) => {
        if (ended) return settle('exited');
        if (queued + bytes.length > BACKLOG_BYTES) return settle('backlog');
        if (bytes.length === 0) return settle('written');
        queue.push({ bytes, settle });
        queued += bytes.length;
        if (timer === undefined) flush(RETRY_MS);
      }),
    force: (bytes) => void writeSome(fd, bytes),
    end,
  };
}

function writeSome(fd: number, bytes: Buffer): number | 'failed' {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : 'failed';
  }
}
