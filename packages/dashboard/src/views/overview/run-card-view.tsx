import { Link } from 'wouter';
import type { RunCard } from '../../fold/run-cards.js';
import { Gauge, Sparkline } from '../../parts/gauge.js';
import { usePageState } from '../../parts/page-context.js';
import { StateBadge } from '../../parts/state-badge.js';
import { baseName, dollars, tokens } from '../../words/numbers.js';
import { span } from '../../words/time.js';

/** A run at a glance; all of it leads to the run. */
export function RunCardView({ card, now }: { readonly card: RunCard; readonly now: number }) {
  const {
    id,
    project,
    request,
    state,
    merged,
    detail,
    step,
    progress,
    agent,
    workflow,
    task,
    samples,
    usage,
    machine,
  } = card;
  const { marks } = usePageState();
  const isOver = ['done', 'failed', 'given-up'].includes(state);
  return (
    <article className="card" data-state={state}>
      <header>
        <StateBadge state={state} merged={merged} />
        <span className="quiet clip">
          {[baseName(project), agent, workflow, ...(machine === undefined ? [] : [`on ${machine}`])].join(' · ')}
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
        <p>
          <span className="number">{usedOf(card)}</span>
          {task === undefined ? null : <span className="clip">task {task}</span>}
        </p>
        {isOver ? null : <p className="quiet clip">{newsOf(card)}</p>}
      </footer>
    </article>
  );
}

function usedOf({ totals: { turns, inputTokens, outputTokens, costUsd } }: RunCard): string {
  if (turns === 0) return 'no turn counted yet';
  return `${costUsd === undefined ? '' : `${dollars(costUsd)} · `}${tokens(inputTokens + outputTokens)} tokens`;
}

function newsOf({ state, agentGone, lastEvent }: RunCard): string {
  if (state === 'running' && agentGone !== undefined) return `its agent is not running: ${agentGone}`;
  return lastEvent?.text.split('\n', 1)[0] ?? '';
}
