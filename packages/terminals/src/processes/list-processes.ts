import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { bootId, type ProcessIdentity, parseProcStat, readProc, startedText } from './process-identity.js';

export interface ProcessInfo extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not say (macOS). */
  readonly session: number;
  readonly command: string;
}

/**
 * All running processes, without zombies. Reads `/proc`; without it (macOS) asks `ps`, which does not report sessions.
 */
export function listProcesses(): ProcessInfo[] {
  return process.platform === 'linux' ? listFromProc() : parsePsList(ps(['-axo', PS_COLUMNS]));
}

/** The initial environment of a process; empty if it must not be read. */
export function readEnvironment(pid: number): string {
  if (process.platform === 'linux') return readProc(`${pid}/environ`) ?? '';
  return ps(['-Eww', '-o', 'command=', '-p', String(pid)]);
}

function listFromProc(): ProcessInfo[] {
  const boot = bootId();
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readProc(`${name}/stat`) : undefined;
    const fields = stat === undefined ? undefined : parseProcStat(stat);
    if (fields === undefined || fields.state === 'Z' || fields.state === 'X') return [];
    const { pid, parent, group, session, command } = fields;
    return [{ pid, parent, group, session, command, started: startedText(boot, fields.ticks) }];
  });
}

const PS_COLUMNS = 'pid=,ppid=,pgid=,state=,lstart=,comm=';
/** A weekday, a month, a day, a time and a year. */
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

/** What `ps -axo pid=,ppid=,pgid=,state=,lstart=,comm=` prints in the C locale. Pure. */
export const parsePsList = (text: string): ProcessInfo[] =>
  text.split('\n').flatMap((line) => {
    const [, pid, parent, group, state = '', started = '', command = ''] = PS_LINE.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: 0,
        started: started.split(/\s+/).join(' '),
        command,
      },
    ];
  });

function ps(args: readonly string[]): string {
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    return execFileSync('ps', args, {
      encoding: 'utf8',
      env,
      maxBuffer: 64 << 20,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
