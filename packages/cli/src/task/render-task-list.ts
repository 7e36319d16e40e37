import type { TaskStatus } from '@devs/core';
import type { Screen } from '../screen/screen.js';
import { visible } from '../screen/visible.js';
import { wrapWords } from '../screen/wrap.js';
import type { Calendar } from '../time/describe-time.js';
import { grouped } from '../words.js';
import type { TaskListPage } from './list-page.js';
import { renderTaskRows } from './render-task-rows.js';
import { ALL_STATUSES, OPEN_STATUSES, statusWord } from './status-words.js';

/** A page of tasks for people: the rows, and below them what is shown, what is not, and how to see it. */
export function renderTaskList(list: TaskListPage, screen: Screen, calendar: Calendar): string[] {
  const { palette, columns } = screen;
  const rows = renderTaskRows(list.tasks, screen, calendar);
  const footer = [rangeOf(list), ...moreOf(list), ...hiddenOf(list)];
  return [
    ...(rows.length > 0 ? [...rows, ''] : []),
    ...footer.flatMap((sentence) => wrapWords(sentence, columns)).map(palette.quiet),
  ];
}

function rangeOf(list: TaskListPage): string {
  const { tasks, total, page, pages, perPage } = list;
  const what = describeSelection(list);
  if (total === 0) return isEmpty(list) ? 'No tasks yet. Add one: devs task add "What to do"' : `No ${what}.`;
  if (tasks.length === 0) return `Page ${page} is behind the last one, which is ${pages}: ${grouped(total)} ${what}.`;
  if (pages === 1) return `${grouped(total)} ${total === 1 ? what.replace('tasks', 'task') : what}.`;
  const first = (page - 1) * perPage + 1;
  return `${grouped(first)} to ${grouped(first + tasks.length - 1)} of ${grouped(total)} ${what}, page ${page} of ${grouped(pages)}.`;
}

const isEmpty = (list: TaskListPage) =>
  list.search === undefined && list.total === 0 && Object.keys(list.hidden).length === 0;

function describeSelection({ statuses, search }: TaskListPage): string {
  const about = search === undefined ? '' : ` with "${visible(search)}"`;
  if (statuses.length === ALL_STATUSES.length) return `tasks${about}`;
  const isOpen = statuses.length === OPEN_STATUSES.length && OPEN_STATUSES.every((status) => statuses.includes(status));
  return `${isOpen ? 'open' : listed(statuses.map(statusWord), 'or')} tasks${about}`;
}

const moreOf = ({ page, pages, tasks }: TaskListPage): string[] =>
  page < pages && tasks.length > 0 ? [`The next page: --page ${page + 1}. Fewer: --search TEXT, --status STATUS.`] : [];

function hiddenOf({ hidden }: TaskListPage): string[] {
  const parts = ALL_STATUSES.flatMap((status: TaskStatus) => {
    const number = hidden[status];
    return number === undefined ? [] : [`${grouped(number)} ${statusWord(status)}`];
  });
  const sum = Object.values(hidden).reduce((total, number) => total + number, 0);
  return parts.length === 0 ? [] : [`Not shown: ${listed(parts, 'and')} (--all shows ${sum === 1 ? 'it' : 'them'}).`];
}

const listed = (parts: readonly string[], word: string) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
