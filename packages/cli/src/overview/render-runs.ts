import type { RunListing, RunOutcome } from '@devs/core';
import { cell, clip } from '../screen/clip.js';
import { widthOf } from '../screen/columns.js';
import type { Screen } from '../screen/screen.js';
import { type Calendar, describeSpan } from '../time/describe-time.js';

const GAP = '  ';
const STATE_COLUMNS = 'interrupted'.length;

/** A run that is over, too. */
export interface ListedRun extends Omit<RunListing, 'state'> {
  readonly state: RunListing['state'] | RunOutcome;
}

/** The runs of one project as aligned rows; what needs the user, and what to type, below. */
export function renderRuns(runs: readonly ListedRun[], { palette, columns }: Screen, calendar: Calendar): string[] {
  return runs.flatMap(({ id, state, request, since, detail, waits, advice, machine }) => {
    const paint = state === 'needs you' ? palette.bad : state === 'running' ? palette.good : palette.devs;
    const span = describeSpan(calendar.now - since);
    const ago = machine === undefined ? span : `on ${machine}, ${span}`;
    const room = columns - STATE_COLUMNS - id.length - widthOf(ago) - GAP.length * 3;
    const row = `${paint(cell(state, STATE_COLUMNS))}${GAP}${id}${GAP}${cell(request, Math.max(8, room))}${GAP}${palette.quiet(ago)}`;
    if (advice === undefined && waits === undefined) return [row];
    const margin = STATE_COLUMNS + GAP.length;
    const next = advice === undefined ? '' : ` · ${advice}`;
    const why = clip(`↳ ${waits ?? detail}`, Math.max(8, columns - margin - next.length));
    return [row, `${' '.repeat(margin)}${paint(`${why}${next}`)}`];
  });
}
