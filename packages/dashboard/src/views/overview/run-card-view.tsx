import { Link } from 'wouter';
import type { RunCard } from '../../fold/run-cards.js';
import { Gauge, Sparkline } from '../../parts/gauge.js';
import { usePageState } from '../../parts/page-context.js';
import { StateBadge } from '../../parts/state-badge.js';
import { baseName, dollars, tokens } from '../../words/numbers.js';
import { span } from '../../words/time.js';

/** A run at a glance; all of it leads to the run. */
export function RunCardView({ card, now }: { readonly card: RunCard; readonly now: number }) {
  const { id, project, request, state, merged, detail, step, progress, agent, workflow, task, samples, usage } = card;
  const { marks } = usePageState();
  const isOver = ['done', 'failed', 'given-up'].includes(state);
  return (
    <article className="card" data-state={state}>
      <header>
        <StateBadge state={state} merged={merged} />
        <span className="quiet clip">
          {baseName(project)} · {agent} · {workflow}
        </span>
        <small className="quiet number">{span(now - card.since)}</small>
      </header>
      <h3>
        <Link href={`/runs/${encodeURIComponent(id)}`}>{request || id}</Link>
      </h3>
      {progress === undefined ? null : (
        <div className="progress">
          <progress max={progress.steps} value={progress.step} data-state={state} aria-label="Steps done" />
          <small className="clip">{isOver || step === undefined ? detail || `${progress.steps} steps` : step}</small>
        </div>
      )}
      {isOver ? null : (
        <div className="measure">
          <Gauge usage={usage} marks={marks.get(project)} agent={agent} />
          <Sparkline samples={samples} />
        </div>
      )}
      <footer>
        {task === undefined ? null : <span className="clip">task {task}</span>}
        <span className="number">
          {dollarsOf(card)}
          {tokens(card.totals.inputTokens + card.totals.outputTokens)} tokens
        </span>
        {card.lastEvent === undefined || isOver ? null : (
          <span className="quiet clip last">{firstLine(card.lastEvent.text)}</span>
        )}
      </footer>
    </article>
  );
}

const dollarsOf = ({ totals }: RunCard): string =>
  totals.costUsd === undefined ? '' : `${dollars(totals.costUsd)} · `;

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
