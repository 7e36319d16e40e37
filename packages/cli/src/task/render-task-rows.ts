import type { TaskRecord } from '@devs/core';
import { cell, clip } from '../screen/clip.js';
import { widthOf } from '../screen/columns.js';
import type { Screen } from '../screen/screen.js';
import { visible } from '../screen/visible.js';
import type { Calendar } from '../time/describe-time.js';
import { describeSpan, relativeTime } from '../time/describe-time.js';
import { statusPaint, statusWord } from './status-words.js';

const GAP = '  ';
const STATUS_COLUMNS = 'in progress'.length;
const MAX_ID_COLUMNS = 30;
const MAX_NOTE_COLUMNS = 20;
const MIN_INTENT_COLUMNS = 16;

/** Tasks as aligned rows: status, id, intent and a note. Why one is blocked or has failed stands below it. */
export function renderTaskRows(tasks: readonly TaskRecord[], screen: Screen, calendar: Calendar): string[] {
  const notes = tasks.map((task) => taskNote(task, calendar));
  const widest = (texts: readonly string[], most: number) => Math.min(most, Math.max(0, ...texts.map(widthOf)));
  const idColumns = widest(
    tasks.map(({ id }) => id),
    MAX_ID_COLUMNS,
  );
  const noteColumns = widest(notes.map(visible), MAX_NOTE_COLUMNS);
  return tasks.flatMap((task, index) => renderRow(task, notes[index] ?? '', { screen, idColumns, noteColumns }));
}

interface Layout {
  readonly screen: Screen;
  readonly idColumns: number;
  readonly noteColumns: number;
}

function renderRow(task: TaskRecord, note: string, { screen, idColumns, noteColumns }: Layout): string[] {
  const { columns, palette } = screen;
  const paint = statusPaint(task.status, palette);
  const id = visible(task.id).padEnd(idColumns); // never clipped: one must be able to copy it
  const margin = STATUS_COLUMNS + GAP.length;
  const room = columns - margin - widthOf(id) - GAP.length;
  const noteRoom = note === '' ? 0 : Math.max(0, Math.min(noteColumns, room - MIN_INTENT_COLUMNS - GAP.length));
  const intentRoom = noteRoom === 0 ? room : room - noteRoom - GAP.length; // a row without a note has more for its intent
  const row = [
    paint(cell(statusWord(task.status), STATUS_COLUMNS)),
    id,
    ...(intentRoom < MIN_INTENT_COLUMNS ? [] : [cell(task.intent, intentRoom)]),
    ...(noteRoom === 0 ? [] : [palette.quiet(clip(note, noteRoom))]),
  ].join(GAP);
  if (task.reason === undefined || task.reason.trim() === '') return [row.trimEnd()];
  return [row.trimEnd(), `${' '.repeat(margin)}${paint(clip(`↳ ${task.reason.trim()}`, columns - margin))}`];
}

/** What is worth knowing about a task beside its intent, in a few words: who has it, what it waits for, when it ended. */
function taskNote(task: TaskRecord, calendar: Calendar): string {
  switch (task.status) {
    case 'in_progress':
      return task.lease === undefined ? '' : `${task.lease.by}, ${describeLease(task.lease.until, calendar)}`;
    case 'pending':
      if (task.open_dependencies.length > 0) return `after ${task.open_dependencies.join(', ')}`;
      return task.priority === 0 ? '' : `priority ${task.priority}`;
    case 'done':
      return task.finished_at === undefined ? '' : relativeTime(task.finished_at, calendar);
    case 'blocked':
    case 'failed':
      return '';
  }
}

const describeLease = (until: number, { now }: Calendar): string =>
  until > now ? `${describeSpan(until - now)} left` : 'lease over';
