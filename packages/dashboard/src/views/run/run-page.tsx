import { useState } from 'react';
import { Link } from 'wouter';
import type { ProjectState, RunState } from '../../fold/project-fold.js';
import { runCards } from '../../fold/run-cards.js';
import { useMoment, usePageState } from '../../parts/page-context.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Tabs } from '../../parts/tabs.js';
import { baseName, dollars, tokens } from '../../words/numbers.js';
import { span } from '../../words/time.js';
import { ContextPart } from './context-part.js';
import { DiffPart } from './diff-part.js';
import { HandoffPart } from './handoff-part.js';
import { PressurePart } from './pressure-part.js';
import { PromptsPart } from './prompts-part.js';
import { ReportPart } from './report-part.js';
import { RunActions } from './run-actions.js';
import { StepsPart } from './steps-part.js';
import { TimelinePart } from './timeline-part.js';
import { WorkflowPart } from './workflow-part.js';

/** What a part of the page gets. */
export interface RunProps {
  readonly run: RunState;
  readonly project: ProjectState;
}

const TABS = {
  work: 'Work',
  timeline: 'Timeline',
  context: 'Context',
  handoffs: 'Handoffs',
  changes: 'Changes',
  prompts: 'Prompts',
  report: 'Report',
} as const;
type Tab = keyof typeof TABS;

/** One run: where it is, what happened, what it changed. */
export default function RunPage({ id }: { readonly id: string }) {
  const { projects, hearing, runs, terminals, past } = usePageState();
  const now = useMoment();
  const [tab, setTab] = useState<Tab>('work');
  const project = projects.find((one) => one.runs.has(id));
  const run = project?.runs.get(id);
  if (project === undefined || run === undefined)
    return (
      <section className="empty">
        <h1>{hearing.isCaughtUp ? `There is no run ${id}` : 'Loading …'}</h1>
        <p>
          <Link href="/">Back to the overview</Link>
        </p>
      </section>
    );
  const card = runCards([project], { runs, terminals, isPast: past !== undefined }).find((one) => one.id === id);
  const { totals, plan } = run.facts;
  return (
    <>
      <p className="crumbs">
        <Link href="/">Overview</Link> / {baseName(project.root)} / {id}
      </p>
      <div className="run-head">
        <h1>{plan?.request ?? id}</h1>
        <RunActions run={run} project={project} card={card} />
      </div>
      <p className="facts">
        {card === undefined ? null : <StateBadge state={card.state} merged={card.merged} />}
        <span>{plan?.agent}</span>
        <span>{plan?.workflow}</span>
        {run.facts.worktree?.branch === undefined ? null : <code>{run.facts.worktree.branch}</code>}
        <Totals totals={totals} />
        {card?.startedAt === undefined ? null : (
          <span className="number quiet">started {span(now - card.startedAt)} ago</span>
        )}
      </p>
      {card === undefined || card.detail === '' ? null : (
        <p className="note" data-tone={TONES[card.state] ?? ''}>
          {card.merged === undefined ? card.detail : `${card.detail}, and merged into ${card.merged}`}
          {card.state === 'needs you' ? (
            <>
              {' '}
              <Link href="/inbox">Answer in the inbox</Link>
            </>
          ) : null}
        </p>
      )}
      {card?.state === 'running' && card.agentGone !== undefined ? (
        <p className="note" data-tone="warn">
          Its agent is not running: {card.agentGone}
        </p>
      ) : null}
      <Tabs tabs={TABS} chosen={tab} onChoose={setTab} label="Parts of the run" />
      <div role="tabpanel" aria-label={TABS[tab]} className="panel">
        <Part tab={tab} run={run} project={project} />
      </div>
    </>
  );
}

/** A turn is counted when it is over: zeros would say that nothing happens in the first one. */
function Totals({ totals }: Pick<RunProps['run']['facts'], 'totals'>) {
  const { turns, activeMs, inputTokens, outputTokens, costUsd } = totals;
  if (turns === 0) return <span className="quiet">no turn counted yet</span>;
  return (
    <>
      <span className="number">{span(activeMs)} at work</span>
      <span className="number">
        {turns} {turns === 1 ? 'turn' : 'turns'}
      </span>
      <span className="number">{tokens(inputTokens + outputTokens)} tokens</span>
      {costUsd === undefined ? null : <span className="number">{dollars(costUsd)}</span>}
    </>
  );
}

const TONES: Readonly<Record<string, string>> = {
  'needs you': 'warn',
  failed: 'bad',
  interrupted: 'warn',
  done: 'good',
};

function Part({ tab, ...props }: RunProps & { readonly tab: Tab }) {
  switch (tab) {
    case 'work':
      return (
        <>
          <WorkflowPart {...props} />
          <PressurePart {...props} />
          <StepsPart {...props} />
        </>
      );
    case 'timeline':
      return <TimelinePart {...props} />;
    case 'context':
      return <ContextPart {...props} />;
    case 'handoffs':
      return <HandoffPart {...props} />;
    case 'changes':
      return <DiffPart {...props} />;
    case 'prompts':
      return <PromptsPart {...props} />;
    case 'report':
      return <ReportPart {...props} />;
  }
}
