import { forgetDeadRecord, type HostRecord, listDeadRecords } from '../host/host-record.js';
import { type EndReport, endTree, findTree } from '../processes/end-tree.js';
import type { ProcessInfo } from '../processes/list-processes.js';
import { matchesMark } from '../processes/process-mark.js';
import { createProcessTable, type ProcessTable } from '../processes/process-table.js';

/** What still runs of a terminal whose host has died. */
export interface Leftover {
  readonly instance: string;
  /** Unknown if the host died before it recorded the start. */
  readonly terminalId: string | undefined;
  readonly processes: readonly ProcessInfo[];
}

/**
 * Processes left by the dead hosts of this folder: found by pid and start time, session, parents and the mark in the
 * environment. Forgets dead hosts without any.
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
  await findLeftovers(folder); // forgets hosts without remaining processes
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

/** Where to start ending processes: recorded agents, and marked processes of no recorded agent. */
async function rootsOf(record: HostRecord, table: ProcessTable) {
  const unknown = (await leftoversOf(record, table)).filter(({ terminalId }) => terminalId === undefined);
  return [
    ...record.terminals.map(({ pid, started, mark }) => ({ root: { pid, started }, mark })),
    ...unknown
      .flatMap(({ processes }) => processes)
      .map(({ pid, started }) => ({ root: { pid, started }, mark: `${record.instance}/` })),
  ];
}
