import { execFileSync } from 'node:child_process';
import { readProc } from '../processes/process-identity.js';

/**
 * A limit that the kernel hands to every child and has not looked at since 2.4.25: file locks. Anybody may lower its hard
 * value and only an administrator may raise it again, so a process cannot lose it as it loses its environment, its session
 * and its parents.
 */
const HIGHEST = 1 << 30;

/** The hard limit of a process; `undefined` where the system has no such limit or does not show it. */
export function readCeiling(pid: number): number | undefined {
  return parseCeiling(readProc(`${pid}/limits`) ?? '');
}

/** From the text of `/proc/PID/limits`. Pure. */
export function parseCeiling(limits: string): number | undefined {
  const [, hard] = /^Max file locks\s+\S+\s+(\S+)/m.exec(limits) ?? [];
  if (hard === 'unlimited') return Number.POSITIVE_INFINITY;
  return hard === undefined ? undefined : Number(hard);
}

/**
 * Puts this process, and all that it starts from now on, below what started it. Gives the new limit, or `undefined` where the
 * system cannot do that: macOS, or Linux without `prlimit`.
 */
export function lowerCeiling(): number | undefined {
  const before = readCeiling(process.pid);
  if (before === undefined || before < 1) return undefined;
  const ceiling = Math.min(before, HIGHEST) - 1;
  try {
    const args = ['--pid', String(process.pid), `--locks=${ceiling}:${ceiling}`];
    execFileSync('prlimit', args, { stdio: 'ignore', timeout: 5_000 });
  } catch {
    return undefined;
  }
  return readCeiling(process.pid) === ceiling ? ceiling : undefined;
}
