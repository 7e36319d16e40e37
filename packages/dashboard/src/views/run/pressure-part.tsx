import { terminalsOfRun } from '@devs/core/folds';
import { lazy, Suspense, useState } from 'react';
import { describeForecast, dryRun, forecastOf } from '../../fold/forecast.js';
import { USUAL_MARKS } from '../../fold/marks.js';
import { receiptsOf } from '../../fold/receipts.js';
import { usageSamples } from '../../fold/usage-samples.js';
import { usePageState } from '../../parts/page-context.js';
import { percent } from '../../words/numbers.js';
import type { RunProps } from './run-page.js';

const PressureChart = lazy(() => import('./pressure-chart.js'));

/** Tokens over time with the marks, what the policy will do next, and what other marks would have done. */
export function PressurePart({ run, project }: RunProps) {
  const { marks: known } = usePageState();
  const own = known.get(project.root) ?? USUAL_MARKS;
  const [chosen, setSoft] = useState<number>();
  const soft = chosen ?? own.soft.share;
  const inside = terminalsOfRun(run.events).flatMap((name) => project.terminals.get(name) ?? []);
  const samples = usageSamples(inside);
  const boundaries = run.events.flatMap(({ type, at }) => (type === 'step.completed' ? [at] : []));
  const marks =
    chosen === undefined
      ? own
      : {
          soft: { ...own.soft, share: chosen },
          firm: { ...own.firm, share: Math.max(chosen, own.firm.share) },
        };
  const renewals = inside.flatMap(({ type, at }) => (type === 'renewal.started' ? [{ at, what: 'renewal' }] : []));
  const actions = receiptsOf(run.events).flatMap(({ action, end }) =>
    end?.isObserved === true ? [{ at: end.at, what: `/${action}` }] : [],
  );
  if (samples.length < 2)
    return (
      <section aria-labelledby="pressure">
        <h2 id="pressure">Context</h2>
        <p className="quiet">How full the context is appears here after two turns.</p>
      </section>
    );
  const would = dryRun(samples, { marks, boundaries }).length;
  return (
    <section aria-labelledby="pressure">
      <div className="head">
        <h2 id="pressure">Context over time</h2>
        <p>{run.facts.phase.kind === 'finished' ? '' : describeForecast(forecastOf(samples, own))}</p>
      </div>
      <Suspense fallback={<p className="quiet">Loading the chart …</p>}>
        <PressureChart
          samples={samples}
          marks={marks}
          agent={run.facts.plan?.agent}
          events={[...renewals, ...actions]}
        />
      </Suspense>
      <SoftMark share={soft} onChoose={setSoft}>
        {chosen === undefined
          ? `as set in this project: renewed ${times(renewals.length)}. Drag it to see what other marks would have done.`
          : `would have renewed ${times(would)} here; as set, renewed ${times(renewals.length)}`}
      </SoftMark>
    </section>
  );
}

const times = (count: number): string => (count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`);

interface SoftMarkProps {
  readonly share: number;
  onChoose(share: number): void;
  readonly children: React.ReactNode;
}

const SoftMark = ({ share, onChoose, children }: SoftMarkProps) => (
  <label className="slider">
    <span>Soft mark at {percent(share)}</span>
    <input
      type="range"
      min="0.1"
      max="0.9"
      step="0.05"
      value={share}
      onChange={({ target }) => onChoose(Number(target.value))}
    />
    <span className="quiet">{children}</span>
  </label>
);
