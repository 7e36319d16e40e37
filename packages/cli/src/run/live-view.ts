import { widthOf } from '../screen/columns.js';
import type { LiveScreen } from './live-screen.js';

export interface LiveView {
  /** Something may look different now. Cheap: it is drawn at most ten times a second. */
  changed(): void;
  /** A line that stays, above what is drawn. */
  say(line: string): void;
  /** Draws for the last time, and leaves it there. */
  end(): void;
}

/** Everything that a live view needs of time; replaced in tests. */
export interface ViewTimer {
  after(ms: number, job: () => void): () => void;
}

const REDRAW_MS = 100;
const TICK_MS = 1_000;
const CLEAR_BELOW = '\u001b[J';
const up = (lines: number) => (lines === 0 ? '\r' : `\r\u001b[${lines}A`);

const realTimer: ViewTimer = {
  after(ms, job) {
    const timer = setTimeout(job, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Draws lines at the bottom of the terminal, over those that it drew before. `render` gives them for so many columns and rows;
 * what stands above is the user's and is never touched.
 */
export function createLiveView(
  screen: LiveScreen,
  render: (size: { readonly columns: number; readonly rows: number }) => readonly string[],
  timer: ViewTimer = realTimer,
): LiveView {
  let drawn: readonly string[] = [];
  let cancel: (() => void) | undefined;
  let isEnded = false;
  let isFresh = false;

  /** The cursor stands behind the last line. A line that is wider than the terminal now takes several. */
  const erase = (): string => {
    const { columns } = screen.size();
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(visibleWidth(line) / columns)), 0);
    return drawn.length === 0 ? '' : `${up(rows)}${CLEAR_BELOW}`;
  };
  const draw = (before = '') => {
    const { columns, rows } = screen.size();
    const lines = render({ columns, rows }).slice(0, Math.max(1, rows - 1));
    const text = `${erase()}${before}${lines.map((line) => `${line}\n`).join('')}`;
    drawn = lines;
    screen.write(text);
  };
  const schedule = (ms: number) => {
    cancel?.();
    cancel = timer.after(ms, () => {
      isFresh = false;
      if (isEnded) return;
      draw();
      schedule(TICK_MS); // times advance even without events
    });
  };
  const changed = () => {
    if (isEnded || isFresh) return;
    isFresh = true; // later events are drawn with it
    schedule(REDRAW_MS);
  };
  const stopResize = screen.onResize(changed);
  draw();
  schedule(TICK_MS);
  return {
    changed,
    say(line) {
      if (!isEnded) draw(`${line}\n`);
    },
    end() {
      if (isEnded) return;
      isEnded = true;
      cancel?.();
      stopResize();
      draw();
    },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are our own colours
const COLOURS = /\u001b\[[0-9;]*m/g;

const visibleWidth = (line: string): number => widthOf(line.replace(COLOURS, ''));
