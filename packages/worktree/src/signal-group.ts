import type { ChildProcess } from 'node:child_process';

/** Signals a detached child and everything it has started, if they still run. */
export function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended.
  }
}

/** Its output is not awaited: a process that left the group would keep it open. */
export function stopReading(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}
