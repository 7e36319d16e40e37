import { forgetDeadRecord, type HostRecord, listDeadRecords } from '../host/host-record.js';
import { type EndReport, endTree, findTree } from '../processes/end-tree.js';
import type { ProcessInfo } from '../processes/list-processes.js';
import { matchesMark } from '../processes/process-mark.js';
import { createProcessTable, type ProcessTable } from '../processes/process-table.js';

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
export async function findLeftovers(folder: string): Promise<Leftover[]> {
  const table = createProcessTable();
  const found: Leftover[] = [];
  for (const record of listDeadRecords(folder)) {
    const leftovers = await leftoversOf(record, table);
    if (leftovers.length === 0) forgetDeadRecord(folder, record);
    found.push(...leftovers);
  }
  return found;
}

/** Ends them, politely first. */
export async function endLeftovers(folder: string, { graceMs }: { readonly graceMs: number }): Promise<EndReport[]> {
  const table = createProcessTable();
  const roots = await Promise.all(listDeadRecords(folder).map((record) => rootsOf(record, table)));
  const reports = await Promise.all(roots.flat().map(({ root, mark }) => endTree({ root, mark, table, graceMs })));
  await findLeftovers(folder); // forgets those of whom nothing is left
  return reports.filter(({ ended, survivors }) => ended.length + survivors.length > 0);
}

async function leftoversOf(record: HostRecord, table: ProcessTable): Promise<Leftover[]> {
  const { instance } = record;
  const known = await Promise.all(
    record.terminals.map(async ({ terminalId, mark, pid, started }) => ({
      instance,
      terminalId,
      processes: await findTree({ root: { pid, started }, mark, table }),
    })),
  );
  const listed = new Set(known.flatMap(({ processes }) => processes.map(({ pid }) => pid)));
  const others = (await table.look()).filter(
    (candidate) => !listed.has(candidate.pid) && matchesMark(table.belongingOf(candidate).mark, `${instance}/`),
  );
  return [...known, { instance, terminalId: undefined, processes: others }].filter(
    ({ processes }) => processes.length > 0,
  );
}

/** From where to end everything: the agents that were written down, and what carries the mark of none of them. */
async function rootsOf(record: HostRecord, table: ProcessTable) {
  const unknown = (await leftoversOf(record, table)).filter(({ terminalId }) => terminalId === undefined);
  return [
    ...record.terminals.map(({ pid, started, mark }) => ({ root: { pid, started }, mark })),
    ...unknown
      .flatMap(({ processes }) => processes)
      .map(({ pid, started }) => ({ root: { pid, started }, mark: `${record.instance}/` })),
  ];
}
