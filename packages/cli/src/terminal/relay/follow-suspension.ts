import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { LocalTerminal } from './local-terminal.js';
import type { TerminalModes } from './terminal-modes.js';

const MAX_MS = 1_500;
const LOOK_MS = 50;
const BRACKETED_PASTE = 2_004;

const CTRL_Z = ['\u001a', '\u001b[122;5u', '\u001b[27;5;122~'];

export const holdsCtrlZ = (bytes: Buffer): boolean => CTRL_Z.some((key) => bytes.includes(key));

export interface Suspension {
  readonly local: LocalTerminal;
  readonly modes: TerminalModes;
  readonly pid: number;
}

/**
 * An agent that suspends itself gives the terminal back and waits to be continued, which never happens in a terminal
 * of its own. So we stop with it, as its user expects, and continue it when they continue us. If the agent uses Ctrl-Z
 * for something else, it keeps the terminal, and nothing happens.
 */
export async function followSuspension({ local, modes, pid }: Suspension): Promise<'suspended' | 'not-suspended'> {
  const hadTerminal = modes.switched.get(BRACKETED_PASTE) === true;
  for (let waited = 0; waited < MAX_MS; waited += LOOK_MS) {
    await pause(LOOK_MS);
    const gaveBack = hadTerminal && modes.switched.get(BRACKETED_PASTE) !== true;
    if (!gaveBack && !(await isStopped(pid))) continue;
    await local.suspend();
    continueGroup(pid);
    return 'suspended';
  }
  return 'not-suspended';
}

async function isStopped(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}

function continueGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGCONT');
  } catch {} // it has ended meanwhile
}
