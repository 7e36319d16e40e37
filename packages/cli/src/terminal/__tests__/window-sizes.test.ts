import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openFrontDoor, type Window } from './front-door.js';

const FRAME_AGENT = fileURLToPath(new URL('../../__tests__/programs/frame-agent.mjs', import.meta.url));
const PREFIX = '\u001d';
const openFrame = () => openFrontDoor([process.execPath, FRAME_AGENT]);

/** What the agent draws in a terminal of this size. */
const frame = (columns: number, rows: number): string[] =>
  Array.from(
    { length: rows },
    (_, at) => `${`${at + 1}${at === 1 ? ` ${columns}x${rows}` : ''}`.padEnd(columns - 1, '.')}|`,
  );

/** Waits until the whole screen is so. */
const shows = (window: Window, rows: readonly string[]): Promise<void> =>
  expect.poll(() => window.rows()).toEqual(rows);

/** The same for a text that may stand in several rows. */
const says = (window: Window, text: string): Promise<void> =>
  expect.poll(() => window.rows().join(' ').replace(/\s+/g, ' ')).toContain(text);

describe('the size of a window', () => {
  it('is that of the agent, also after it got smaller and another user attaches', async () => {
    const door = openFrame();
    const first = door.open(['claude'], { columns: 70, rows: 20 });
    await shows(first, frame(70, 20));
    first.resize(40, 10);
    await shows(first, frame(40, 10));
    first.close();
    const second = door.open(['attach', 'shop'], { columns: 40, rows: 10 });
    await shows(second, frame(40, 10));
  });

  it('may be larger in a second window, which keeps no row of the first', async () => {
    const door = openFrame();
    const first = door.open(['claude'], { columns: 50, rows: 10 });
    await shows(first, frame(50, 10));
    const second = door.open(['attach', 'shop'], { columns: 70, rows: 16 });
    await shows(second, frame(70, 16));
    const lastTen = frame(70, 16).slice(-10);
    await shows(
      first,
      lastTen.map((row) => row.slice(0, 50)),
    );
    first.type('x');
    await shows(first, frame(50, 10));
  });

  it('may be smaller for one who watches, who sees as much as there is room for', async () => {
    const door = openFrame();
    const window = door.open(['claude'], { columns: 70, rows: 16 });
    await shows(window, frame(70, 16));
    const watcher = door.open(['attach', 'shop', '--watch'], { columns: 30, rows: 8 });
    await shows(
      watcher,
      frame(70, 16)
        .slice(-8)
        .map((row) => row.slice(0, 30)),
    );
    await shows(window, frame(70, 16));
  });

  it('leaves room for what devs says, and for what stood there before when it is gone', async () => {
    const door = openFrame();
    const window = door.open(['claude'], { columns: 44, rows: 12 });
    await shows(window, frame(44, 12));
    window.type(`${PREFIX}?`);
    await says(window, 'devs: d detach · r renew · l redraw · ? help · Ctrl-] once more sends it · Esc nothing');
    window.type('x');
    await shows(window, frame(44, 12));
  });
});
