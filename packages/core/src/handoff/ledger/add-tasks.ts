import type { ConversationEvent, TaskChanged, TasksReplaced } from '../../conversation/conversation-event.js';
import { BOUNDS } from './bounds.js';
import type { Ledger, LedgerTask } from './ledger.js';

type From = Pick<ConversationEvent, 'from'>;

/** A whole list takes the place of the last whole list; tasks with ids of their own stay. */
export function replaceTasks(ledger: Ledger, { tasks, from }: TasksReplaced & From): void {
  if (from.subAgent !== undefined) return;
  for (const key of [...ledger.tasks.keys()]) if (key.startsWith(LISTED)) ledger.tasks.delete(key);
  for (const [index, task] of tasks.slice(0, BOUNDS.tasks).entries()) {
    ledger.tasks.set(`${LISTED}${index}`, { ...task, from });
  }
  ledger.droppedTasks.listed = tasks.slice(BOUNDS.tasks).filter(isOpen).length;
}

const LISTED = 'list:';

const isOpen = ({ status }: Pick<LedgerTask, 'status'>) => status === 'pending' || status === 'in_progress';

export function addTaskChange(ledger: Ledger, { taskId, title, description, status, from }: TaskChanged & From): void {
  if (from.subAgent !== undefined) return;
  const known = ledger.tasks.get(taskId);
  // Numbers restart with the agent: a second task of the same number does not replace an open one.
  if (known !== undefined && title !== undefined && title !== known.title && status === 'pending') {
    if (isOpen(known)) ledger.tasks.set(`${taskId} (earlier)`, known);
  }
  const newTitle = title ?? known?.title;
  if (newTitle === undefined) return; // of a task that was never described
  const newDescription = description ?? known?.description;
  ledger.tasks.delete(taskId);
  ledger.tasks.set(taskId, {
    title: newTitle,
    status: status ?? known?.status ?? 'pending',
    ...(newDescription === undefined ? {} : { description: newDescription.slice(0, MAX_DESCRIPTION_LENGTH) }),
    from,
  });
  dropOldestFinished(ledger);
}

const MAX_DESCRIPTION_LENGTH = 1_000;

function dropOldestFinished({ tasks, droppedTasks }: Ledger): void {
  if (tasks.size <= BOUNDS.tasks) return;
  const finished = [...tasks].find(([, task]) => !isOpen(task));
  if (finished === undefined) droppedTasks.single += 1;
  tasks.delete(finished?.[0] ?? tasks.keys().next().value ?? '');
}
