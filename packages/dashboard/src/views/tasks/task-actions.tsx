import type { Input } from '@devs/api';
import type { TaskView } from '../../fold/task-graph.js';
import type { Dialogs } from '../../parts/dialogs.js';
import { usePage } from '../../parts/page-context.js';
import { useAction } from '../../parts/use-action.js';

type Change = Input<'tasks.change'>['change'];

interface Choice {
  readonly name: string;
  readonly isDangerous?: boolean;
  /** Gives nothing where the user thinks better of it. */
  change(task: TaskView, dialogs: Dialogs): Promise<Change | undefined> | Change;
}

/** What can be done with a task as it is now. */
export function TaskActions({ task, project }: { readonly task: TaskView; readonly project: string }) {
  const { store, dialogs } = usePage();
  const action = useAction();
  const choose = (choice: Choice) =>
    void action.run(async () => {
      const change = await choice.change(task, dialogs);
      if (change === undefined) return undefined;
      const outcome = await store.client.call('tasks.change', { project, task: task.id, change });
      if (outcome.status === 'refused') throw new Error(outcome.message);
      return undefined;
    });
  return (
    <p className="choices small">
      {CHOICES[task.status].map((choice) => (
        <button
          type="button"
          key={choice.name}
          className={choice.isDangerous ? 'danger' : ''}
          aria-label={`${choice.name} ${task.id}`}
          disabled={action.isBusy}
          onClick={() => choose(choice)}
        >
          {choice.name}
        </button>
      ))}
    </p>
  );
}

const EARLIER: Choice = { name: 'Earlier', change: ({ priority }) => ({ to: 'edited', priority: priority + 1 }) };
const LATER: Choice = { name: 'Later', change: ({ priority }) => ({ to: 'edited', priority: priority - 1 }) };

const EDIT: Choice = {
  name: 'Edit',
  async change({ id, intent }, { ask }) {
    const words = await ask({ title: `What ${id} does`, text: intent, action: 'Save' });
    return words === undefined ? undefined : { to: 'edited', intent: words.replace(/\s+/g, ' ') };
  },
};

const BLOCK: Choice = {
  name: 'Block',
  async change({ id }, { ask }) {
    const reason = await ask({ title: `Why may nobody begin ${id}?`, text: '', action: 'Block it' });
    return reason === undefined ? undefined : { to: 'blocked', reason };
  },
};

const REMOVE: Choice = {
  name: 'Remove',
  isDangerous: true,
  async change({ id, intent }, { ask }) {
    const isSure = await ask({ title: `Remove ${id}?`, detail: intent, action: 'Remove it' });
    return isSure === undefined ? undefined : { to: 'removed' };
  },
};

const CHOICES: Readonly<Record<TaskView['status'], readonly Choice[]>> = {
  pending: [EDIT, EARLIER, LATER, BLOCK, REMOVE],
  blocked: [{ name: 'Unblock', change: () => ({ to: 'unblocked' }) }, EDIT, REMOVE],
  failed: [{ name: 'Retry', change: () => ({ to: 'retried' }) }, EDIT, REMOVE],
  done: [{ name: 'Retry', change: () => ({ to: 'retried' }) }],
  in_progress: [{ name: 'Give back', change: () => ({ to: 'released' }) }],
};
