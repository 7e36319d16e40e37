import { type HostRecord, readHostRecord } from '../host/host-record.js';
import { listProcesses, type ProcessInfo, readEnvironment } from '../processes/list-processes.js';
import { isAlive, parseProcStat, readProc } from '../processes/process-identity.js';
import { readBelonging } from '../processes/process-mark.js';
import { readCeiling } from './ceiling.js';

/** Where a process sits, from the side of one host. */
export type Seat =
  | { readonly kind: 'outside' }
  /** `terminalId`: only where the kernel names it, by parents, session or group. A variable can be set by anybody. */
  | { readonly kind: 'inside'; readonly terminalId: string | undefined };

/** Distinguishes the processes in a host's terminals from all others. */
export type Landmarks = Pick<HostRecord, 'origin' | 'ceiling' | 'terminals' | 'supervisor'>;

type Step = Pick<ProcessInfo, 'pid' | 'parent' | 'group' | 'session'>;

/** More parents than any shell has. */
const MAX_STEPS = 100;

/**
 * Whether a process descends from a hosted terminal. One sign is enough: a parent, the session or the group of an agent, the
 * mark in its environment or in that of a parent, or the limit below which the host runs.
 */
export function seatOf(pid: number, { origin, ceiling, terminals, supervisor }: Landmarks): Seat {
  if (supervisor?.pid === pid && isAlive(supervisor)) return { kind: 'outside' };
  const chain = chainOf(pid);
  const terminal = chain
    .flatMap(({ pid: own, group, session }) => terminals.filter((agent) => [own, group, session].includes(agent.pid)))
    .at(-1); // the outermost: an agent may have started its own terminal
  if (terminal !== undefined) return { kind: 'inside', terminalId: terminal.terminalId };
  const below = ceiling !== undefined && (readCeiling(pid) ?? 0) <= ceiling;
  const isMarked = marksOf(chain).some((mark) => !origin.includes(mark));
  return below || isMarked ? { kind: 'inside', terminalId: undefined } : { kind: 'outside' };
}

/** Where this process sits, from the side of the host of a folder. Where none has run, there is no terminal to sit in. */
export function seatIn(folder: string, pid: number = process.pid): Seat {
  const record = readHostRecord(folder);
  return record === undefined ? { kind: 'outside' } : seatOf(pid, record);
}

/** The marks of a process and its parents. A host that is started in a hosted terminal takes these for its own place. */
export const ownMarks = (): string[] => marksOf(chainOf(process.pid));

const marksOf = (chain: readonly Step[]): string[] => [
  ...new Set(chain.flatMap(({ pid }) => readBelonging(readEnvironment(pid)).mark ?? [])),
];

/** A process and its parents, the nearest first. */
function chainOf(pid: number): readonly Step[] {
  const stepAt = process.platform === 'linux' ? stepFromProc : stepFromList();
  const chain: Step[] = [];
  for (let at = pid; at > 1 && chain.length < MAX_STEPS; ) {
    const step = stepAt(at);
    if (step === undefined) break;
    chain.push(step);
    at = step.parent;
  }
  return chain;
}

const stepFromProc = (pid: number): Step | undefined => parseProcStat(readProc(`${pid}/stat`) ?? '');

function stepFromList(): (pid: number) => Step | undefined {
  const all = new Map(listProcesses().map((found) => [found.pid, found]));
  return (pid) => all.get(pid);
}
