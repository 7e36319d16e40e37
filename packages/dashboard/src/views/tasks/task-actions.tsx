import type { Input } from '@devs/api';
import type { TaskView } from '../../fold/task-graph.js';
import { usePage } from '../../parts/page-context.js';
import { useAction } from '../../parts/use-action.js';

type Change = Input<'tasks.change'>['change'];

/** What can be done with a task as it is now. */
export function TaskActions({ task, project }: { readonly task: TaskView; readonly project: string }) {
  const { store } = usePage();
  const action = useAction();
  const change = (to: Change) =>
    void action.run(async () => {
      const outcome = await store.client.call('tasks.change', { project, task: task.id, change: to });
      if (outcome.status === 'refused') throw new Error(outcome.message);
      return undefined;
    });
  const block = () => {
    const reason = prompt(`Why may nobody begin ${task.id}?`);
    if (reason) change({ to: 'blocked', reason });
  };
  return (
    <p className="choices small">
      {task.status === 'pending' ? (
        <button type="button" disabled={action.isBusy} onClick={block}>
          Block
        </button>
      ) : null}
      {task.status === 'blocked' ? (
        <button type="button" disabled={action.isBusy} onClick={() => change({ to: 'unblocked' })}>
          Unblock
        </button>
      ) : null}
      {task.status === 'failed' || task.status === 'done' ? (
        <button type="button" disabled={action.isBusy} onClick={() => change({ to: 'retried' })}>
          Retry
        </button>
      ) : null}
      {task.status === 'in_progress' ? (
        <button type="button" disabled={action.isBusy} onClick={() => change({ to: 'released' })}>
          Give back
        </button>
      ) : null}
      {task.status === 'pending' ? (
        <button type="button" className="danger" disabled={action.isBusy} onClick={() => change({ to: 'removed' })}>
          Remove
        </button>
      ) : null}
    </p>
  );
}
