import type { TaskRecord } from '../ports/task-queue.js';
import { hasLabels } from './has-labels.js';

export interface UnmetNeed {
  readonly task: string;
  /** Labels that no machine has; all that it needs, where no single machine has all of them. */
  readonly needs: readonly string[];
}

/** Tasks that could begin, and that no machine can begin. Pure. */
export function unmetNeeds(
  tasks: readonly Pick<TaskRecord, 'id' | 'status' | 'needs'>[],
  machines: readonly { readonly labels: readonly string[]; readonly agents: readonly string[] }[],
): readonly UnmetNeed[] {
  const offered = machines.map(({ labels, agents }) => [...labels, ...agents]);
  return tasks.flatMap(({ id, status, needs = [] }) => {
    if (status !== 'pending' || needs.length === 0 || offered.some((labels) => hasLabels(labels, needs))) return [];
    const missing = needs.filter((need) => !offered.some((labels) => labels.includes(need)));
    return [{ task: id, needs: missing.length === 0 ? needs : missing }];
  });
}
