import { markOf, type PressureMarks } from '@devs/core/folds';
import { backstopTokens, markTokens, USUAL_MARKS } from '../fold/marks.js';
import type { UsageSample } from '../fold/usage-samples.js';
import { percent, tokens } from '../words/numbers.js';

interface GaugeProps {
  readonly usage: { readonly usedTokens: number; readonly windowTokens: number } | undefined;
  /** Of the project; missing: the usual ones. */
  readonly marks?: PressureMarks | undefined;
  readonly agent?: string | undefined;
}

/** How full a context is, with the marks of its project and the agent's own backstop. */
export function Gauge({ usage, marks = USUAL_MARKS, agent }: GaugeProps) {
  if (usage === undefined || usage.windowTokens <= 0)
    return <p className="gauge-none quiet">context not measured yet</p>;
  const { windowTokens } = usage;
  const share = Math.min(1, usage.usedTokens / windowTokens);
  const at = (used: number) => Math.min(100, (used / windowTokens) * 100);
  const soft = at(markTokens(marks.soft, windowTokens));
  const firm = at(markTokens(marks.firm, windowTokens));
  const backstop = backstopTokens(agent, windowTokens);
  const words = `${percent(share)} of ${tokens(windowTokens)}`;
  return (
    <div className="gauge" data-level={markOf(usage, marks)}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`Context ${words}`}>
        <title>{titleOf({ soft, firm, backstop: backstop === undefined ? undefined : at(backstop) })}</title>
        <rect className="trough" width="100" height="6" rx="1" />
        <rect className="fill" width={Math.max(0.5, share * 100)} height="6" rx="1" />
        <rect className="mark" x={soft} width="0.6" height="6" />
        <rect className="mark" x={firm} width="0.6" height="6" />
        {backstop === undefined ? null : <rect className="mark backstop" x={at(backstop)} width="0.6" height="6" />}
      </svg>
      <small className="number">{words}</small>
    </div>
  );
}

const titleOf = ({ soft, firm, backstop }: { soft: number; firm: number; backstop: number | undefined }): string =>
  [
    `renews at a step end from ${Math.round(soft)} %`,
    `at the next pause from ${Math.round(firm)} %`,
    ...(backstop === undefined ? [] : [`the agent compacts itself at ${Math.round(backstop)} %`]),
  ].join('; ');

/** The last samples as a line. Nothing where there are too few. */
export function Sparkline({ samples }: { readonly samples: readonly UsageSample[] }) {
  const recent = samples.slice(-60);
  if (recent.length < 2) return null;
  const points = recent.map(({ usedTokens, windowTokens }, index) => {
    const x = (index / (recent.length - 1)) * 100;
    const y = 24 - Math.min(1, usedTokens / Math.max(1, windowTokens)) * 24;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg className="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}
