import type { Ledger, LedgerTask } from '../../ledger/ledger.js';
import type { HandoffItem } from '../handoff-document.js';
import { quoted } from '../wording.js';

/** Every open task, always; finished ones as far as there is room, the newest first. */
export function taskItems({ tasks }: Ledger): readonly HandoffItem[] {
  const all = [...tasks.values()];
  const open = all.filter(isOpen);
  const finished = all.filter(({ status }) => status === 'completed').reverse();
  return [
    ...open.flatMap((task): HandoffItem[] => [
      { form: 'line', text: `[ ] ${task.title}${stateOf(task)}`, from: [task.from], worth: 40, required: true },
      ...aboutTask(task),
    ]),
    ...finished.map(
      (task, age): HandoffItem => ({
        form: 'line',
        text: `[x] ${task.title}`,
        from: [task.from],
        worth: 6 / (1 + age / 8),
      }),
    ),
  ];
}

const isOpen = ({ status }: LedgerTask): boolean => status === 'pending' || status === 'in_progress';

const stateOf = ({ status }: LedgerTask) => (status === 'in_progress' ? ' (in progress)' : '');

function aboutTask({ title, description, from }: LedgerTask): readonly HandoffItem[] {
  if (description === undefined || description.trim() === '') return [];
  return [{ form: 'line', text: `About ${quoted(title, 60)}: ${quoted(description, 300)}`, from: [from], worth: 4 }];
}
