import { addTotals, describeStatus } from '@devs/core';
import type { RunEnding } from './end-run.js';
import type { KnownRun } from './known-run.js';
import type { RunStatus } from './run.js';

/** A run as viewers see it. */
export function statusOfRun(run: KnownRun, { end, isOver }: RunEnding, last: RunStatus['last']): RunStatus {
  const { facts } = run.record;
  const { template, state } = run.workflow();
  const { folder, task, terminal, request } = run;
  const standing = facts.escalation === undefined ? 'running' : 'escalated';
  return {
    id: run.id,
    workflow: template.name,
    request: facts.plan?.request ?? '',
    agent: request.driver.agent,
    worktree: folder.path,
    ...(folder.branch === undefined ? {} : { branch: folder.branch }),
    ...(task === undefined ? {} : { taskId: task.id }),
    state: end === undefined ? (isOver ? 'stopping' : standing) : end.status === 'finished' ? 'finished' : 'paused',
    position: describeStatus(template, state),
    terminals: terminal === undefined ? [] : [terminal.status()],
    last,
    ...(facts.escalation === undefined ? {} : { escalation: facts.escalation }),
    totals: addTotals(facts.totals, run.watch.uncounted),
    ...(end === undefined ? {} : { end }),
  };
}
