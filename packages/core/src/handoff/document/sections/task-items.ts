import { cutAtEnd } from '../../../text/cut-text.js';
import type { Ledger, LedgerTask } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { counted, oneLine, quoted } from '../wording.js';

/** Every open task, always; finished ones as far as there is room, the newest first. */
export function taskItems(ledger: Ledger): readonly HandoffItem[] {
  const finished = [...ledger.tasks.values()].filter(({ status }) => status === 'completed').reverse();
  return [
    ...openTasks(ledger).flatMap((task) => [openTaskItem(task), ...aboutTask(task)]),
    ...droppedItems(ledger),
    ...finished.map(
      (task, age): HandoffItem => ({
        form: 'line',
        text: `${FINISHED}${titleOf(task)}`,
        from: [task.from],
        worth: 6 / (1 + age / 8),
      }),
    ),
  ];
}

/** What is in progress stands first. */
function openTasks({ tasks }: Ledger): readonly LedgerTask[] {
  const all = [...tasks.values()];
  return [...all.filter(({ status }) => status === 'in_progress'), ...all.filter(({ status }) => status === 'pending')];
}

export const openTaskItems = (ledger: Ledger): readonly HandoffItem[] => [
  ...openTasks(ledger).map(openTaskItem),
  ...droppedItems(ledger),
];

function droppedItems({ tasks, droppedTasks: { listed, single } }: Ledger): readonly HandoffItem[] {
  const [newest] = [...tasks.values()].slice(-1);
  if (newest === undefined || listed + single === 0) return [];
  const text = `${counted(listed + single, 'more open task')} of this conversation ${listed + single === 1 ? 'is' : 'are'} not listed here: look at the transcript`;
  return [{ form: 'line', text, from: [newest.from], worth: 40, required: true }];
}

const openTaskItem = (task: LedgerTask): HandoffItem => ({
  form: 'line',
  text: `${OPEN}${titleOf(task)}`,
  detail: task.status === 'in_progress' ? ' (in progress)' : '',
  from: [task.from],
  worth: 40,
  required: true,
});

export const OPEN = '[ ] ';
export const FINISHED = '[x] ';

/** In one line, as it must not become a heading; longer ones are cut. */
export const titleOf = ({ title }: Pick<LedgerTask, 'title'>): string => cutAtEnd(oneLine(title), MAX_TITLE_LENGTH);

const MAX_TITLE_LENGTH = 600;

function aboutTask({ title, description, from }: LedgerTask): readonly HandoffItem[] {
  if (description === undefined || description.trim() === '') return [];
  return [{ form: 'line', text: `About ${quoted(title, 60)}: ${quoted(description, 300)}`, from: [from], worth: 4 }];
}
