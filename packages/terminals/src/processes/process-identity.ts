import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process as a pid and when it started: pids are given out again, and the two together are not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; differs after a reboot. */
  readonly started: string;
}

/** `undefined` if no such process runs; a zombie counts as gone. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  return started === undefined ? undefined : { pid, started };
}

export const isAlive = ({ pid, started }: ProcessIdentity): boolean => identifyProcess(pid)?.started === started;

function startedOnLinux(pid: number): string | undefined {
  const stat = readProc(`${pid}/stat`);
  const fields = stat === undefined ? undefined : parseProcStat(stat);
  return fields === undefined || fields.state === 'Z' || fields.state === 'X'
    ? undefined
    : startedText(bootId(), fields.ticks);
}

/** The kernel counts from the boot, so the boot belongs to it. */
export const startedText = (boot: string, ticks: string): string => `${boot}/${ticks}`;

export const bootId = () => (readProc('sys/kernel/random/boot_id') ?? 'unknown').slice(0, 8);

export interface ProcStat {
  readonly pid: number;
  readonly command: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly ticks: string;
}

/** `/proc/PID/stat`. A command may hold blanks and parentheses, so the last one counts. */
export function parseProcStat(stat: string): ProcStat | undefined {
  const close = stat.lastIndexOf(')');
  const open = stat.indexOf('(');
  const [state = '', parent, group, session, ...rest] = stat.slice(close + 2).split(' ');
  const ticks = rest[15]; // field 22 of the whole line
  if (open === -1 || ticks === undefined) return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    command: stat.slice(open + 1, close),
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    ticks,
  };
}

export function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return undefined; // ended meanwhile, or not ours
  }
}

function startedByPs(pid: number): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [state = 'Z', ...started] = text.split(/\s+/);
    return state.startsWith('Z') || started.length === 0 ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}
