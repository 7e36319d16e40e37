import type { TaskStatus } from '@devs/core';
import { Command } from 'commander';
import { UsageError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { collectStatuses, jsonOption, storeOption, wholeNumber } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { calendarOf } from '../time/calendar-of.js';
import { listPage, type PageRequest, type TaskListPage } from './list-page.js';
import { renderTaskList } from './render-task-list.js';
import { ALL_STATUSES, OPEN_STATUSES } from './status-words.js';

const DEFAULT_PER_PAGE = 50;
const MOST_PER_PAGE = 100_000;

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

export function taskListCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('list')
    .description('List tasks, open ones first')
    .option('--status <status>', `${ALL_STATUSES.join(', ')} or open; may be repeated`, collectStatuses)
    .option('--search <text>', 'only those with this text in their id or intent')
    .option('--all', 'include finished and failed tasks')
    .option('--page <number>', 'which page', wholeNumber({ from: 1 }), 1)
    .option('--per-page <number>', 'tasks on a page', wholeNumber({ from: 1, to: MOST_PER_PAGE }), DEFAULT_PER_PAGE)
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
