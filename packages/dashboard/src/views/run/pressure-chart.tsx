import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { PressureMarks } from '@devs/core/folds';
import { backstopTokens, markTokens } from '../../fold/marks.js';
import type { UsageSample } from '../../fold/usage-samples.js';
import { useTheme } from '../../parts/use-theme.js';
import { tokens } from '../../words/numbers.js';
import { clockTime } from '../../words/time.js';

interface ChartProps {
  readonly samples: readonly UsageSample[];
  readonly marks: PressureMarks;
  readonly agent: string | undefined;
  readonly events: readonly { readonly at: number; readonly what: string }[];
}

const HEIGHT = 220;

/** A line of tokens, and lines for the marks and for what happened to the context. */
export default function PressureChart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read when it is drawn
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const chart = draw(element, props);
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [props, theme]);
  const last = props.samples.at(-1);
  return (
    <div
      ref={place}
      className="chart"
      role="img"
      aria-label={`${props.samples.length} turns; ${tokens(last?.usedTokens ?? 0)} of ${tokens(last?.windowTokens ?? 0)} tokens now`}
    />
  );
}

function draw(element: HTMLElement, { samples, marks, agent, events }: ChartProps): UPlot {
  // Values of `light-dark()` are resolved only where they are used.
  const probe = (name: string): string => {
    element.style.color = `var(${name})`;
    const { color } = getComputedStyle(element);
    element.style.color = '';
    return color;
  };
  const window = Math.max(...samples.map(({ windowTokens }) => windowTokens));
  const [quiet, line, accent] = [probe('--quiet'), probe('--line'), probe('--accent')];
  const axis = { stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const backstop = backstopTokens(agent, window);
  const lines: readonly MarkLine[] = [
    { name: 'soft', at: markTokens(marks.soft, window), color: probe('--warn') },
    { name: 'firm', at: markTokens(marks.firm, window), color: probe('--bad') },
    ...(backstop === undefined ? [] : [{ name: 'backstop', at: backstop, color: quiet }]),
  ];
  const drawn = withGaps(samples, events);
  const flat = (used: number) => drawn.map(() => used);
  return new UPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false },
      scales: { y: { range: [0, window] } },
      fmtDate: () => (date) => clockTime(date.getTime()),
      axes: [
        { ...axis, space: 90, incrs: SECONDS },
        { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => tokens(tick)) },
      ],
      series: [
        {},
        { stroke: accent, width: 2, fill: `color-mix(in srgb, ${accent} 14%, transparent)` },
        ...lines.map(({ name, color }) => ({
          stroke: color,
          width: 1,
          dash: name === 'backstop' ? [2, 4] : [6, 4],
          points: { show: false },
        })),
      ],
      hooks: {
        draw: [(chart) => drawEvents(chart, events, probe('--call')), (chart) => drawMarks(chart, lines)],
      },
    },
    [drawn.map(({ at }) => at / 1_000), drawn.map(({ usedTokens }) => usedTokens), ...lines.map(({ at }) => flat(at))],
    element,
  );
}

/** Ticks stand at whole seconds: fractions would repeat the same time. */
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400];

interface Point {
  readonly at: number;
  /** `null`: no line from the point before to the one after. */
  readonly usedTokens: number | null;
}

/** An action on the context ends a line: between the sample before it and the one after it nothing was measured. */
function withGaps(samples: readonly UsageSample[], events: ChartProps['events']): readonly Point[] {
  const gaps: readonly Point[] = events.map(({ at }) => ({ at, usedTokens: null }));
  return [...samples, ...gaps].sort((a, b) => a.at - b.at);
}

interface MarkLine {
  readonly name: string;
  readonly at: number;
  readonly color: string;
}

/** The name of each mark, above its line at the right. */
function drawMarks(chart: UPlot, marks: readonly MarkLine[]): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.textAlign = 'right';
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  for (const { name, at, color } of marks) {
    ctx.fillStyle = color;
    const y = chart.valToPos(at, 'y', true);
    ctx.fillText(name, bbox.left + bbox.width - 4 * devicePixelRatio, y - 4 * devicePixelRatio);
  }
  ctx.restore();
}

/** Where labels of events stand, from the top. */
const ROWS = [12, 25] as const;

function drawEvents(chart: UPlot, events: ChartProps['events'], color: string): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.textAlign = 'left';
  ctx.setLineDash([]);
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  const ends = ROWS.map(() => bbox.left); // a label that would cover another one goes below it, or is left out
  for (const { at, what } of [...events].sort((a, b) => a.at - b.at)) {
    const x = Math.round(chart.valToPos(at / 1_000, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const end = x + ctx.measureText(what).width + 8 * devicePixelRatio;
    const row = ROWS.findIndex((_, index) => (ends[index] ?? end) <= x);
    if (row === -1 || end > bbox.left + bbox.width) continue;
    ctx.fillText(what, x + 4 * devicePixelRatio, bbox.top + (ROWS[row] ?? 0) * devicePixelRatio);
    ends[row] = end;
  }
  ctx.restore();
}
