import type { TaskQueue, TaskRecord, TaskStatus } from '@devs/core';
import { Command } from 'commander';
import { UsageError } from '../cli-error.js';
import { collectStatuses, jsonOption, storeOption, wholeNumber } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import type { Screen } from '../screen/screen.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { wrapWords } from '../screen/wrap.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { type Calendar, calendarOf } from '../time/describe-time.js';
import { grouped } from '../words.js';
import { renderTaskRows } from './render-task-rows.js';
import { ALL_STATUSES, OPEN_STATUSES, statusWord } from './status-words.js';
import type { TaskServices } from './task-services.js';

const DEFAULT_PER_PAGE = 50;
const MAX_PER_PAGE = 100_000;

const MORE_HELP = `
Shows what is open: in progress, then blocked, then pending. Says what it does
not show.

Examples:
  devs task list
  devs task list --status blocked,failed
  devs task list --all --search login --page 2
  devs task list --json | jq -r '.tasks[].id'`;

interface ListOptions extends StoreOptions {
  readonly status?: readonly TaskStatus[];
  readonly search?: string;
  readonly page: number;
  readonly perPage: number;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function taskListCommand(services: TaskServices, done: (exitCode: number) => void): Command {
  return new Command('list')
    .description('List tasks, open ones first')
    .option('--status <status>', `${ALL_STATUSES.join(', ')} or open; may be repeated`, collectStatuses)
    .option('--search <text>', 'only those with this text in their id or intent')
    .option('--all', 'include finished and failed tasks')
    .option('--page <number>', 'which page', wholeNumber({ from: 1 }), 1)
    .option('--per-page <number>', 'tasks on a page', wholeNumber({ from: 1, to: MAX_PER_PAGE }), DEFAULT_PER_PAGE)
    .addOption(storeOption())
    .addOption(jsonOption('print the page as one JSON object'))
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const request = requestOf(options);
      const list = await withExistingStore(
        services,
        options,
        ({ store }) => listPage(store.tasks, request),
        (): TaskListPage => ({ ...request, tasks: [], total: 0, pages: 1, hidden: {} }),
      );
      const { perPage: per_page, ...facts } = list;
      const asText = () => renderTaskList(list, services.screen, calendarOf(services)).join('\n');
      services.print(outputMode(options) === 'json' ? toJson({ ...facts, per_page }) : asText());
      done(0);
    });
}

function requestOf({ status, all, search, page, perPage }: ListOptions): PageRequest {
  if (all && status !== undefined) throw new UsageError('--all and --status exclude each other. Give one of them.');
  const statuses = all ? ALL_STATUSES : (status ?? OPEN_STATUSES);
  return { statuses, page, perPage, ...(search !== undefined && { search }) };
}

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

export interface PageRequest {
  readonly statuses: readonly TaskStatus[];
  readonly search?: string;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/** One page of the task list, and how much there is beside it. */
interface TaskListPage {
  readonly tasks: readonly TaskRecord[];
  readonly page: number;
  readonly perPage: number;
  readonly pages: number;
  /** How many tasks there are on all pages. */
  readonly total: number;
  readonly statuses: readonly TaskStatus[];
  readonly search?: string;
  /** How many tasks of each other status match the search and are not listed. */
  readonly hidden: Readonly<Partial<Record<TaskStatus, number>>>;
}

/** The tasks of all the statuses, one status after the other, cut into pages. */
export async function listPage(tasks: Pick<TaskQueue, 'list'>, request: PageRequest): Promise<TaskListPage> {
  const { statuses, search, page, perPage } = request;
  const query = search === undefined ? {} : { text: search };
  const shown: TaskRecord[] = [];
  let total = 0;
  for (const status of ALL_STATUSES.filter((known) => statuses.includes(known))) {
    const offset = Math.max(0, (page - 1) * perPage - total);
    const wanted = perPage - shown.length;
    const found = await tasks.list({ ...query, statuses: [status], offset, limit: Math.max(1, wanted) });
    shown.push(...found.tasks.slice(0, wanted));
    total += found.total;
  }
  const hidden: Partial<Record<TaskStatus, number>> = {};
  for (const status of ALL_STATUSES.filter((known) => !statuses.includes(known))) {
    const found = await tasks.list({ ...query, statuses: [status], limit: 1 });
    if (found.total > 0) hidden[status] = found.total;
  }
  return { ...request, tasks: shown, pages: Math.max(1, Math.ceil(total / perPage)), total, hidden };
}
