import {
  collect,
  describeEvent,
  readAll,
  type Store,
  type StoredEvent,
  type TaskRecord,
  type TaskStatus,
} from '@devs/core';
import { Command } from 'commander';
import { jsonOption, storeOption } from '../program/options.js';
import { clip } from '../screen/clip.js';
import { bodyColumns, labelled } from '../screen/labelled.js';
import { outputMode } from '../screen/output-mode.js';
import type { Screen } from '../screen/screen.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { paragraphs, wrapWords } from '../screen/wrap.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { absoluteTime, type Calendar, calendarOf, describeTime } from '../time/describe-time.js';
import { count } from '../words.js';
import { statusPaint, statusWord } from './status-words.js';
import { unknownTask } from './task-advice.js';
import type { TaskServices } from './task-services.js';

const MAX_EVENTS = 20;

interface TaskAccount {
  readonly task: TaskRecord;
  /** From the log, oldest first. */
  readonly history: readonly StoredEvent[];
  /** Where those stand that it depends on. */
  readonly dependencies: readonly { readonly id: string; readonly status?: TaskStatus }[];
}

/** All there is to know about one task, for people. */
export function renderTask({ task, history, dependencies }: TaskAccount, screen: Screen, calendar: Calendar): string[] {
  const { palette } = screen;
  const columns = bodyColumns(screen.columns);
  const paint = statusPaint(task.status, palette);
  const beside = (label: string, lines: readonly string[]) => labelled(label, lines, palette.quiet);
  const text = (label: string, value: string | undefined) =>
    value === undefined || value.trim() === '' ? [] : beside(label, paragraphs(value, columns));
  const { lease } = task;
  return [
    `${palette.title(visible(task.id))}  ${paint(statusWord(task.status))}`,
    ...text('intent', task.intent),
    ...text(task.status === 'failed' ? 'failed' : 'blocked by', task.reason),
    ...(lease === undefined ? [] : text('held by', `${lease.by}, until ${leaseEnd(lease.until, calendar)}`)),
    ...(task.priority === 0 ? [] : beside('priority', [String(task.priority)])),
    ...(dependencies.length === 0 ? [] : text('after', dependencies.map(describeDependency).join(', '))),
    ...text('text', task.description),
    ...text('result', task.result),
    ...text('added', describeTime(task.added_at, calendar)),
    ...(task.finished_at === undefined ? [] : text('ended', describeTime(task.finished_at, calendar))),
    '',
    ...renderHistory(task.id, history, screen, calendar),
  ];
}

const leaseEnd = (until: number, calendar: Calendar) =>
  until > calendar.now ? describeTime(until, calendar) : `${describeTime(until, calendar)}: anybody may take it`;

const describeDependency = ({ id, status }: TaskAccount['dependencies'][number]) =>
  `${id} (${status === undefined ? 'removed' : statusWord(status)})`;

function renderHistory(
  id: string,
  history: readonly StoredEvent[],
  { palette, columns }: Screen,
  calendar: Calendar,
): string[] {
  const left = history.length - MAX_EVENTS;
  return [
    palette.title('History'),
    ...(left > 0
      ? wrapWords(`${count(left, 'earlier event')}: devs log --stream task:${id} --after 0`, columns - 2).map(
          (line) => `  ${palette.quiet(line)}`,
        )
      : []),
    ...history.slice(-MAX_EVENTS).map((event) => {
      const time = absoluteTime(event.at, calendar);
      return `  ${palette.quiet(time)}  ${clip(describeEvent(event), columns - time.length - 4)}`;
    }),
  ];
}

const MORE_HELP = `
Example:
  devs task show fix-login`;

export function taskShowCommand(services: TaskServices, done: (exitCode: number) => void): Command {
  return new Command('show')
    .description('Show one task and what happened to it')
    .argument('<id>', 'the id of the task')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (id: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const account = await withExistingStore(
        services,
        options,
        ({ store }) => accountOf(id, store),
        () => undefined,
      );
      if (account === undefined) throw unknownTask(id);
      const asText = () => renderTask(account, services.screen, calendarOf(services)).join('\n');
      services.print(outputMode(options) === 'json' ? toJson(account) : asText());
      done(0);
    });
}

async function accountOf(id: string, { tasks, log }: Store): Promise<TaskAccount | undefined> {
  const task = await tasks.get(id);
  if (task === undefined) return undefined;
  const history = await collect(readAll(log, { stream: `task:${id}` }));
  const others = await Promise.all(task.depends_on.map((other) => tasks.get(other)));
  const dependencies = task.depends_on.map((other, index) => {
    const status = others[index]?.status;
    return { id: other, ...(status !== undefined && { status }) };
  });
  return { task, history, dependencies };
}
