import { describeEvent, runIdOf, type StoredEvent } from '@devs/core';
import type { RunStatus, TerminalNotice } from '@devs/supervisor';
import type { OutputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { describeNotice } from '../terminal/notices/describe-notice.js';
import { absoluteTime, calendarOf } from '../time/describe-time.js';
import type { FollowedRun } from './create-runs.js';
import { createLiveView } from './live-view.js';
import { renderLast, renderRun } from './render-run.js';
import type { RunServices } from './run-services.js';

/** How the user sees runs while they run: drawn on a terminal, as lines in a pipe, as JSON for a program. */
export interface RunView {
  add(run: Pick<FollowedRun, 'status'>): void;
  see(event: StoredEvent): void;
  /** What holds up the terminal of a run; a drawn view shows it by itself. */
  hear(notice: TerminalNotice): void;
  changed(): void;
  /** A sentence for people, now. */
  say(text: string): void;
  end(): void;
}

type ViewServices = Pick<RunServices, 'print' | 'warn' | 'screen' | 'live' | 'clock' | 'timeZone'>;

const HOW_TO_WATCH = 'Watch it in a browser: devs ui';

export function createRunView(services: ViewServices, mode: OutputMode): RunView {
  if (mode === 'json') return jsonView(services);
  services.print(HOW_TO_WATCH);
  return services.live === undefined ? lineView(services) : drawnView(services, services.live);
}

const nothing = () => {};

const jsonView = ({ print, warn }: ViewServices): RunView => ({
  add: nothing,
  see: (event) => print(toJson(event)),
  hear: nothing,
  changed: nothing,
  say: warn,
  end: nothing,
});

/** What is counted again and again is for the report. */
const QUIET = new Set(['usage.counted', 'workflow.started']);

function lineView(services: ViewServices): RunView {
  const { palette } = services.screen;
  return {
    add: nothing,
    see(event) {
      if (QUIET.has(event.type)) return;
      const time = absoluteTime(event.at, services).slice('yyyy-mm-dd '.length);
      services.print(
        `${palette.quiet(time)}  ${runIdOf(event.stream) ?? event.stream}  ${visible(describeEvent(event))}`,
      );
    },
    hear(notice) {
      if (notice.kind === 'parked') services.warn(`devs: ${describeNotice(notice, '', calendarOf(services)).text}`);
    },
    changed: nothing,
    say: services.warn,
    end: nothing,
  };
}

function hintFor(statuses: readonly RunStatus[]): readonly string[] {
  if (statuses.length === 0) return ['Starting…'];
  return statuses.every(({ end }) => end !== undefined) ? [] : ['Ctrl-C stops; `devs resume` continues'];
}

/** So many lines at least are left to the runs themselves. */
const MIN_LAST = 3;

function drawnView(services: ViewServices, live: NonNullable<RunServices['live']>): RunView {
  const runs: Pick<FollowedRun, 'status'>[] = [];
  const view = createLiveView(live, ({ columns, rows }) => {
    const screen = { palette: live.palette, columns: Math.max(20, columns - 1) };
    const calendar = calendarOf(services);
    const statuses = runs.map((run) => run.status());
    // A run of the queue that is over is in the report, and in the lines below.
    const shown = statuses.length > 1 ? statuses.filter(({ end }) => end === undefined) : statuses;
    const blocks = shown.flatMap((status) => [...renderRun(status, screen, calendar), '']);
    const room = Math.max(MIN_LAST, rows - blocks.length - 3);
    return [
      ...blocks,
      ...renderLast(statuses, screen, calendar, Math.min(8, room)),
      ...hintFor(statuses).map(live.palette.quiet),
    ];
  });
  return {
    add(run) {
      runs.push(run);
      view.changed();
    },
    see: view.changed,
    hear: nothing,
    changed: view.changed,
    say: (text) => view.say(text),
    end: view.end,
  };
}
