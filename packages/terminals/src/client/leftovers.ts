import { forgetDeadRecord, type HostRecord, listDeadRecords } from '../host/host-record.js';
import { type EndReport, endTree, findTree } from '../processes/end-tree.js';
import { listProcesses, type ProcessInfo } from '../processes/list-processes.js';
import { isMarked } from '../processes/process-mark.js';

/** What still runs of a terminal whose host has died. */
export interface Leftover {
  readonly instance: string;
  /** Unknown where the host died before it could write down what it had started. */
  readonly terminalId: string | undefined;
  readonly processes: readonly ProcessInfo[];
}

/**
 * What the dead hosts of this folder left running: by pid and start time, by session, by parents, and by the mark in the
 * environment. A dead host with nothing left is forgotten.
 */
export function findLeftovers(folder: string): Leftover[] {
  return listDeadRecords(folder).flatMap((record) => {
    const found = leftoversOf(record);
    if (found.length === 0) forgetDeadRecord(folder, record);
    return found;
  });
}

/** Ends them, politely first. */
export async function endLeftovers(folder: string, { graceMs }: { readonly graceMs: number }): Promise<EndReport[]> {
  const reports = await Promise.all(listDeadRecords(folder).flatMap((record) => endAll(record, graceMs)));
  findLeftovers(folder);
  return reports.filter(({ ended, survivors }) => ended.length + survivors.length > 0);
}

function leftoversOf(record: HostRecord): Leftover[] {
  const { instance } = record;
  const known = record.terminals.map(({ terminalId, mark, pid, started }) => ({
    instance,
    terminalId,
    processes: findTree({ root: { pid, started }, mark }),
  }));
  const listed = new Set(known.flatMap(({ processes }) => processes.map(({ pid }) => pid)));
  const unlisted = listProcesses().filter(({ pid }) => !listed.has(pid) && isMarked(pid, `${instance}/`));
  return [...known, { instance, terminalId: undefined, processes: unlisted }].filter(
    ({ processes }) => processes.length > 0,
  );
}

function endAll(record: HostRecord, graceMs: number): Promise<EndReport>[] {
  const known = record.terminals.map(({ pid, started, mark }) => endTree({ root: { pid, started }, mark, graceMs }));
  const unlisted = leftoversOf(record).filter(({ terminalId }) => terminalId === undefined);
  return [
    ...known,
    ...unlisted.flatMap(({ processes }) =>
      processes.map(({ pid, started }) => endTree({ root: { pid, started }, mark: `${record.instance}/`, graceMs })),
    ),
  ];
}
