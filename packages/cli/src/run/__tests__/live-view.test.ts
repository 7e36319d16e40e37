import type { TerminalStatus } from '@devs/supervisor';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../screen/columns.js';
import { plainPalette } from '../../screen/palette.js';
import { createLiveView } from '../live-view.js';
import { renderLast, renderRun } from '../render-run.js';
import { someStatus } from './fake-runs.js';

const NOW = Date.UTC(2026, 0, 31, 9, 0, 0);
const ESCAPE = '\u001b[';
const calendar = { now: NOW, timeZone: 'UTC' };

/** A terminal that only knows what the view uses: lines, the cursor going up, and clearing what is below it. */
function createScreen(columns = 40, rows = 20) {
  let size = { columns, rows };
  let lines: string[] = [''];
  let writes = 0;
  let resized: () => void = () => {};
  const jobs: { at: number; job: () => void; isOff: boolean }[] = [];
  let now = 0;
  const write = (text: string) => {
    writes++;
    for (const piece of text.split(ESCAPE)) {
      const [, count, rest = piece] = /^(\d+)A(.*)$/s.exec(piece) ?? [];
      // Lines drawn over are cleared first.
      if (count !== undefined) lines = [...lines.slice(0, Math.max(0, lines.length - 1 - Number(count))), ''];
      const [first = '', ...others] = rest.replace(/^J/, '').replaceAll('\r', '').split('\n');
      lines = [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${first}`, ...others];
    }
  };
  return {
    screen: {
      palette: plainPalette,
      size: () => size,
      write,
      onResize(listener: () => void) {
        resized = listener;
        return () => {
          resized = () => {};
        };
      },
    },
    timer: {
      after(ms: number, job: () => void) {
        const entry = { at: now + ms, job, isOff: false };
        jobs.push(entry);
        return () => {
          entry.isOff = true;
        };
      },
    },
    pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = jobs.filter(({ isOff, at }) => !isOff && at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        now = next.at;
        next.isOff = true;
        next.job();
      }
      now = end;
    },
    resize(columns: number, rows: number) {
      size = { columns, rows };
      resized();
    },
    shown: () => lines.join('\n'),
    writes: () => writes,
  };
}

describe('a live view', () => {
  it('draws over what it drew, and says lines above it', () => {
    const { screen, timer, pass, shown } = createScreen();
    let text = ['one', 'two'];
    const view = createLiveView(screen, () => text, timer);
    text = ['three'];
    view.changed();
    pass(100);
    expect(shown()).toBe('three\n');
    view.say('a line that stays');
    expect(shown()).toBe('a line that stays\nthree\n');
    text = ['the end'];
    view.end();
    view.changed();
    pass(5_000);
    expect(shown()).toBe('a line that stays\nthe end\n');
  });

  it('is drawn at most ten times a second, however much happens', () => {
    const { screen, timer, pass, writes } = createScreen();
    const view = createLiveView(screen, () => ['x'], timer);
    const before = writes();
    for (let count = 0; count < 1_000; count++) {
      view.changed();
      pass(1);
    }
    expect(writes() - before).toBeLessThanOrEqual(10);
    expect(writes() - before).toBeGreaterThanOrEqual(9);
    view.end();
  });

  it('is drawn once a second though nothing happens, and no more after its end', () => {
    const { screen, timer, pass, writes } = createScreen();
    const view = createLiveView(screen, () => ['x'], timer);
    pass(3_000);
    expect(writes()).toBe(4);
    view.end();
    pass(10_000);
    expect(writes()).toBe(5);
  });

  it('fits a terminal that got smaller', () => {
    const { screen, timer, pass, resize, shown } = createScreen(40, 20);
    const view = createLiveView(
      screen,
      ({ rows }) => Array.from({ length: 30 }, (_, row) => `${row} of ${rows}`),
      timer,
    );
    resize(40, 5);
    pass(100);
    expect(shown().trimEnd().split('\n').slice(-4)).toEqual(['0 of 5', '1 of 5', '2 of 5', '3 of 5']);
    view.end();
  });
});

const terminal = (changes: Partial<TerminalStatus> = {}): TerminalStatus => ({
  name: 'run-abc',
  agent: 'builtin',
  folder: '/w',
  state: { activity: 'busy', since: NOW - 12_000, background: 0, evidence: { source: 'screen', detail: '' } } as never,
  isAttended: false,
  isReplacing: false,
  usage: { usedTokens: 50, windowTokens: 100 } as never,
  pressure: 0.5,
  mark: 'soft',
  renewal: 'idle',
  contextRefreshState: null,
  contextRefreshCount: 2,
  notes: [],
  ...changes,
});

describe('a run on the screen', () => {
  const screen = { columns: 80, palette: plainPalette };

  it('shows its step, its task, its agent with how full it is, and what was used', () => {
    const position = {
      ...someStatus().position,
      step: 'build',
      subStep: 'code',
      task: { index: 0, id: 'one', title: 'The first' },
      progress: { step: 2, steps: 3, task: 1, tasks: 4 },
    };
    expect(renderRun(someStatus({ position, terminals: [terminal()] }), screen, calendar)).toEqual([
      'Run abc123  running  feature · builtin',
      '  asked   Add a cart',
      '  step    build › one › code (task 1 of 4)',
      '  task    The first',
      '  agent   run-abc         busy       ████░░░░  50 %  12 s · renewed 2×',
      '  model   3 turns · 1,200 tokens in · 30 out',
    ]);
  });

  it('says what needs the user, and what to type', () => {
    const escalation = { id: 'q1', question: 'Which currency?', diagnosis: '', at: NOW };
    const lines = renderRun(someStatus({ state: 'escalated', escalation }), screen, calendar);
    expect(lines.slice(-2)).toEqual(['  needs you: Which currency?', '  devs answer q1 "…"']);
    const asking = terminal({ needs: { kind: 'answer', detail: 'Allow npm test?' } });
    expect(renderRun(someStatus({ terminals: [asking] }), screen, calendar).at(-1)).toBe(
      '  the agent asks: Allow npm test? · devs attach run-abc',
    );
  });

  it('is never wider than the terminal, and obeys nothing that an agent wrote', () => {
    const hostile = `\u001b[2J${'界'.repeat(200)}\n`;
    const status = someStatus({
      request: hostile,
      terminals: [terminal({ name: 'run-abc', parkedUntil: NOW })],
      last: [{ at: NOW, text: hostile }],
      escalation: { id: 'q', question: hostile, diagnosis: hostile, at: 0 },
    });
    for (const columns of [30, 60, 100]) {
      const own = { columns, palette: plainPalette };
      const lines = [...renderRun(status, own, calendar), ...renderLast([status], own, calendar)];
      expect(lines.join('')).not.toContain('\u001b');
      expect(lines.filter((line) => !line.includes('run-abc') && widthOf(line) > columns + 1)).toEqual([]);
    }
  });

  it('shows the last events of several runs in the order in which they happened', () => {
    const runs = [
      {
        id: 'a',
        last: [
          { at: NOW, text: 'first' },
          { at: NOW + 2_000, text: 'third' },
        ],
      },
      { id: 'b', last: [{ at: NOW + 1_000, text: 'second' }] },
    ];
    expect(renderLast(runs, screen, calendar)).toEqual([
      '09:00:00  a  first',
      '09:00:01  b  second',
      '09:00:02  a  third',
    ]);
    expect(renderLast(runs, screen, calendar, 1)).toEqual(['09:00:02  a  third']);
  });
});
