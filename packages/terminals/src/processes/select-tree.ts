import type { ProcessInfo } from './list-processes.js';
import type { ProcessIdentity } from './process-identity.js';

export interface TreeQuery {
  /** The agent: leader of its own session and group. */
  readonly root: ProcessIdentity;
  /** Recognises a child that left its session and its parents. */
  isMarked(process: ProcessInfo): boolean;
  /** Whether this process is itself a host, which outlives its starter. */
  isHost(process: ProcessInfo): boolean;
  /** The calling process is never part of the answer. */
  readonly asker: number;
}

/**
 * All processes of one agent: itself, its session and group, their descendants, and those that carry its mark. Pure over the
 * list that is given.
 */
export function selectTree(processes: readonly ProcessInfo[], query: TreeQuery): ProcessInfo[] {
  const { root } = query;
  const leader = processes.find(({ pid }) => pid === root.pid);
  // A pid is not given out again while its session or group has members: a stranger there means that both are gone.
  const isStranger = leader !== undefined && leader.started !== root.started;
  const belongs = ({ pid, session, group }: ProcessInfo) =>
    !isStranger && (pid === root.pid || session === root.pid || group === root.pid);
  const found = new Map<number, ProcessInfo>();
  for (const candidate of processes) {
    if (belongs(candidate) || query.isMarked(candidate)) found.set(candidate.pid, candidate);
  }
  const children = groupByParent(processes);
  for (const { pid } of found.values()) {
    // A map also iterates over entries added meanwhile.
    for (const child of children.get(pid) ?? []) if (!query.isHost(child)) found.set(child.pid, child);
  }
  return [...found.values()].filter(({ pid }) => pid !== query.asker);
}

function groupByParent(processes: readonly ProcessInfo[]): Map<number, ProcessInfo[]> {
  const children = new Map<number, ProcessInfo[]>();
  for (const candidate of processes) {
    const siblings = children.get(candidate.parent);
    if (siblings === undefined) children.set(candidate.parent, [candidate]);
    else siblings.push(candidate);
  }
  return children;
}
