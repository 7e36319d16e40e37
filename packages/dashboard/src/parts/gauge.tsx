import type { UsageSample } from '../fold/usage-samples.js';
import { percent, tokens } from '../words/numbers.js';

interface Usage {
  readonly usedTokens: number;
  readonly windowTokens: number;
}

/** Shares of the window at which devs acts. */
const MARKS = { soft: 0.5, firm: 0.65 } as const;

/** How full a context is, with its marks. */
export function Gauge({ usage }: { readonly usage: Usage | undefined }) {
  if (usage === undefined || usage.windowTokens <= 0)
    return <p className="gauge-none quiet">context not measured yet</p>;
  const share = Math.min(1, usage.usedTokens / usage.windowTokens);
  const level = share >= MARKS.firm ? 'firm' : share >= MARKS.soft ? 'soft' : 'low';
  const words = `${percent(share)} of ${tokens(usage.windowTokens)}`;
  return (
    <div className="gauge" data-level={level}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`Context ${words}`}>
        <rect className="trough" width="100" height="6" rx="1" />
        <rect className="fill" width={Math.max(0.5, share * 100)} height="6" rx="1" />
        <rect className="mark" x={MARKS.soft * 100} width="0.6" height="6" />
        <rect className="mark" x={MARKS.firm * 100} width="0.6" height="6" />
      </svg>
      <small className="number">{words}</small>
    </div>
  );
}

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
