import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithoutTerminal } from './end-without-terminal.js';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

interface LocalListeners {
  onInput(bytes: Buffer): void;
  onResize(size: TerminalSize): void;
  /** The window is gone, or another process asks us to end. */
  onEnd(reason: LocalEnd): void;
  /** The last words to the terminal, on every way out. Called once; must not throw. */
  farewell(): string;
}

export type LocalEnd = 'hung-up' | 'SIGTERM' | 'SIGHUP' | 'SIGINT';

/** The terminal in which the user sits. */
export interface LocalTerminal {
  /** Whether both its keyboard and its screen are there. */
  readonly isInteractive: boolean;
  size(): TerminalSize;
  write(data: string | Uint8Array): void;
  /** Takes the keyboard over, key by key. Gives how to hand it back. */
  take(listeners: LocalListeners): () => void;
  /** Stops this process as Ctrl-Z does. Resolves when the user continues it; at once without a shell that could. */
  suspend(): Promise<void>;
}

const USUAL: TerminalSize = { columns: 80, rows: 24 };
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

export function createLocalTerminal(process: NodeJS.Process): LocalTerminal {
  const { stdin, stdout } = process;
  const size = () => ({ columns: stdout.columns || USUAL.columns, rows: stdout.rows || USUAL.rows });
  const write = (data: string | Uint8Array) => {
    if (!stdout.destroyed) stdout.write(data);
  };
  return {
    get isInteractive() {
      return stdin.isTTY === true && stdout.isTTY === true;
    },
    size,
    write,
    take({ onInput, onResize, onEnd, farewell }) {
      let isTaken = true;
      let isExiting = false;
      const giveBack = () => {
        if (!isTaken) return;
        isTaken = false;
        stdin.off('data', onInput);
        stdout.off('resize', resized);
        stdin.off('end', hungUp);
        stdin.off('error', hungUp);
        stdout.on('error', ignore); // what comes of a window that is gone is no news any more
        for (const [signal, listener] of signals) process.off(signal, listener);
        process.off('exit', exiting);
        process.off('uncaughtExceptionMonitor', failing);
        writeNow(stdout, farewell());
        if (!giveKeysBack(stdin)) endWithoutTerminal(process, isExiting);
        stdin.pause();
      };
      const resized = () => onResize(size());
      const hungUp = () => onEnd('hung-up');
      const signals = SIGNALS.map((signal) => [signal, () => onEnd(signal)] as const);
      /** Every end of this process that bypasses us: an uncaught error, or a closed output. */
      const exiting = () => {
        isExiting = true;
        onEnd('hung-up');
        giveBack();
      };
      const failing = () => onEnd('hung-up');
      stdin.on('data', onInput);
      stdin.on('end', hungUp);
      stdin.on('error', hungUp);
      stdout.on('resize', resized);
      for (const [signal, listener] of signals) process.on(signal, listener);
      process.on('exit', exiting);
      process.on('uncaughtExceptionMonitor', failing); // before it is printed, so that it can be read
      stdin.setRawMode(true);
      stdin.resume();
      return giveBack;
    },
    async suspend() {
      stdin.setRawMode(false);
      process.kill(0, 'SIGTSTP');
      await pause(STOPPED_MS);
      stdin.setRawMode(true);
    },
  };
}

/** The signal has stopped us by then, and this time continues when we do. */
const STOPPED_MS = 50;

/** `false` where the terminal is gone, and nothing about it can be set any more. */
function giveKeysBack(stdin: NodeJS.Process['stdin']): boolean {
  let isGone = false;
  stdin.on('error', () => {
    isGone = true;
  });
  if (stdin.isRaw) stdin.setRawMode(false);
  return !isGone;
}

const ignore = () => {};

/** Also where the process ends in this very moment. */
function writeNow(stdout: NodeJS.Process['stdout'], text: string): void {
  try {
    writeSync(stdout.fd, text);
  } catch {} // the terminal is gone, and needs nothing any more
}
