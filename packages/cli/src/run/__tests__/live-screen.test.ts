import { describe, expect, it } from 'vitest';
import { plainPalette } from '../../screen/palette.js';
import { createLiveScreen } from '../live-screen.js';
import { createLiveView } from '../live-view.js';

/** What a process writes to a terminal of this size. */
function openTerminal(size: { readonly columns?: number; readonly rows?: number }, env = {}) {
  const written: string[] = [];
  const screen = createLiveScreen(
    { isTTY: true, ...size, write: (text) => written.push(text), on() {}, off() {} },
    env,
    { palette: plainPalette },
  );
  return { screen, written };
}

describe('the screen of a live view', () => {
  it.each([
    [
      { columns: 0, rows: 0 },
      { columns: 80, rows: 24 },
    ],
    [{}, { columns: 80, rows: 24 }],
    [
      { columns: 100, rows: 30 },
      { columns: 100, rows: 30 },
    ],
  ])('takes a terminal that says %j for %j', (said, size) => {
    expect(openTerminal(said).screen?.size()).toEqual(size);
  });

  it('is drawn again with numbers that a terminal knows, where that was never told its size', () => {
    const { screen, written } = openTerminal({ columns: 0, rows: 0 });
    if (screen === undefined) throw new Error('there is a terminal');
    const view = createLiveView(screen, () => ['a line'], { after: () => () => {} });
    view.say('second');
    view.end();
    expect(written.join('')).toContain('second');
    expect(written.join('')).not.toContain('Infinity');
  });

  it('is missing without a viewer', () => {
    expect(openTerminal({}, { TERM: 'dumb' }).screen).toBeUndefined();
  });
});
