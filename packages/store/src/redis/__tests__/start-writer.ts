import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

type Acknowledged =
  | { readonly text: string; readonly position: number }
  | { readonly conflict: number }
  | { readonly task: string; readonly type: string };

export interface WriterRequest {
  readonly url: string;
  readonly name: string;
  readonly stream: string;
  readonly appends?: number;
}

export interface Writer {
  readonly acknowledged: readonly Acknowledged[];
  /** Resolves at the given number of acknowledgements, or at the end. */
  reached(count: number): Promise<void>;
  kill(): void;
  /** The exit code; `null` after a kill. All that was printed has been read by then. */
  readonly ended: Promise<number | null>;
}

const PROGRAM = fileURLToPath(new URL('writer.mjs', import.meta.url));

/** A process that writes to the store and reports each acknowledged change. */
export function startWriter(request: WriterRequest): Writer {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, JSON.stringify(request)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: Acknowledged[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of [...waiting]) check();
  };
  if (child.stdout === null) throw new Error('the writer has no output');
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    acknowledged.push(JSON.parse(line) as Acknowledged);
    wake();
  });
  let isOver = false;
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(([[code]]) => {
    isOver = true;
    wake();
    return code as number | null;
  });
  return {
    acknowledged,
    ended,
    kill: () => void child.kill('SIGKILL'),
    reached: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (acknowledged.length < count && !isOver) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}
