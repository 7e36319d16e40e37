import { describeEvent, type StoredEvent } from '@devs/core';
import { cell, clip } from '../screen/clip.js';
import { widthOf } from '../screen/columns.js';
import type { Palette } from '../screen/palette.js';
import type { Screen } from '../screen/screen.js';
import { absoluteTime, type Calendar } from '../time/describe-time.js';

const GAP = '  ';
const MIN_STREAM_COLUMNS = 16;
const MAX_STREAM_COLUMNS = 30;
const MIN_COLUMNS = 20;
const YEAR = 'yyyy-'.length;

/** Lines for events, aligned with earlier lines. Known events determine the width of the streams. */
export function createEventRenderer(screen: Screen, calendar: () => Calendar) {
  let streamColumns = MIN_STREAM_COLUMNS;
  const makeRoom = ({ stream }: StoredEvent) => {
    streamColumns = Math.max(streamColumns, Math.min(stream.length, MAX_STREAM_COLUMNS));
  };
  return {
    expect: (events: readonly StoredEvent[]): void => events.forEach(makeRoom),
    /** When, which stream, what. On a terminal it is cut at the edge and the year goes without saying; not in a pipe. */
    render(event: StoredEvent): string {
      makeRoom(event);
      const { palette, columns } = screen;
      const whole = absoluteTime(event.at, calendar());
      const time = columns === Number.POSITIVE_INFINITY ? whole : whole.slice(YEAR);
      const stream = cell(event.stream, Math.max(streamColumns, event.stream.length));
      const room = columns - time.length - widthOf(stream) - 2 * GAP.length;
      const what = clip(describeEvent(event), Math.max(room, MIN_COLUMNS));
      return [palette.quiet(time), palette.model(stream), paintOf(event.type, palette)(what)].join(GAP).trimEnd();
    },
  };
}

function paintOf(type: string, palette: Palette): (text: string) => string {
  if (type === 'task.completed') return palette.good;
  return type === 'task.failed' || type === 'task.blocked' ? palette.bad : (text) => text;
}
