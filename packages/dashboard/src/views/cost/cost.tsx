import { Link } from 'wouter';
import { type BudgetView, budgetViews } from '../../fold/budgets.js';
import { type CostRow, costByDay, costBySteps, costRows, type DayCost, type StepCost } from '../../fold/cost-table.js';
import { usePageState } from '../../parts/page-context.js';
import { useProject } from '../../parts/project-choice.js';
import { useAsked } from '../../parts/use-asked.js';
import { baseName, dollars, percent, tokens } from '../../words/numbers.js';
import { dayOf, dayTime } from '../../words/time.js';

/** What runs have used: per run and per day, each call counted once. */
export default function Cost() {
  const { projects } = usePageState();
  const rows = costRows(projects);
  const days = costByDay(projects, dayOf);
  const sum = rows.reduce((total, row) => total + row.inputTokens + row.outputTokens, 0);
  const cost = rows.some(({ costUsd }) => costUsd !== undefined)
    ? rows.reduce((total, { costUsd = 0 }) => total + costUsd, 0)
    : undefined;
  return (
    <>
      <div className="head">
        <h1>Cost</h1>
        <p className="quiet">
          {tokens(sum)} tokens in {rows.length} {rows.length === 1 ? 'run' : 'runs'}; cost {dollars(cost)}
        </p>
      </div>
      {days.length === 0 ? null : <Days days={days} />}
      <Budgets rows={rows} days={days} />
      <Reminders rows={rows} />
      <Steps steps={costBySteps(projects)} />
      <Runs rows={rows} />
    </>
  );
}

const Runs = ({ rows }: { readonly rows: readonly CostRow[] }) => (
  <section aria-labelledby="cost-runs">
    <h2 id="cost-runs">Runs</h2>
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th>Run</th>
            <th className="wide-only">Task</th>
            <th className="number wide-only">Started</th>
            <th className="number wide-only">Turns</th>
            <th className="number">Input</th>
            <th className="number wide-only">From cache</th>
            <th className="number wide-only">Output</th>
            <th className="number wide-only">Reminders</th>
            <th className="number">Cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.project} ${row.run}`}>
              <td className="said">
                <Link href={`/runs/${row.run}`}>{row.request || row.run}</Link>
                <br />
                <small className="quiet">{baseName(row.project)}</small>
              </td>
              <td className="wide-only">{row.task ?? ''}</td>
              <td className="number wide-only">{dayTime(row.at)}</td>
              <td className="number wide-only">{row.turns}</td>
              <td className="number">{tokens(row.inputTokens)}</td>
              <td className="number wide-only">
                {row.inputTokens === 0 ? '' : percent(row.cachedTokens / row.inputTokens)}
              </td>
              <td className="number wide-only">{tokens(row.outputTokens)}</td>
              <td className="number wide-only">
                {row.reminders.count === 0 ? 'none' : `${row.reminders.count} · ${tokens(row.reminders.tokens)}`}
              </td>
              <td className="number">{dollars(row.costUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {rows.length === 0 ? <p className="quiet">No run has used anything yet.</p> : null}
  </section>
);

const MAX_STEPS = 20;

/** The steps that use most, all runs together. */
const Steps = ({ steps }: { readonly steps: readonly StepCost[] }) =>
  steps.length === 0 ? null : (
    <section aria-labelledby="cost-steps">
      <h2 id="cost-steps">Steps</h2>
      <div className="scroll">
        <table className="steps">
          <thead>
            <tr>
              <th>Step</th>
              <th className="wide-only">Workflow</th>
              <th className="number">Times</th>
              <th className="number wide-only">Turns</th>
              <th className="number">Tokens</th>
              <th className="number">Cost</th>
            </tr>
          </thead>
          <tbody>
            {steps.slice(0, MAX_STEPS).map(({ workflow, step, times, turns, tokens: used, costUsd }) => (
              <tr key={`${workflow} ${step}`}>
                <td>{step}</td>
                <td className="quiet wide-only">{workflow}</td>
                <td className="number">{times}</td>
                <td className="number wide-only">{turns}</td>
                <td className="number">{tokens(used)}</td>
                <td className="number">{dollars(costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );

const UNITS: Readonly<Record<BudgetView['unit'], (used: number) => string>> = {
  usd: (used) => dollars(used),
  tokens: (used) => `${tokens(Math.round(used))} tokens`,
  minutes: (used) => `${Math.round(used)} min`,
};

/** What the chosen project may spend, and how much of it is spent. */
function Budgets({ rows, days }: { readonly rows: readonly CostRow[]; readonly days: readonly DayCost[] }) {
  const { project } = useProject();
  const root = project?.root;
  const settings = useAsked('settings.get', root === undefined ? undefined : { project: root });
  if (settings.kind !== 'known') return null;
  const budgets = budgetViews(settings.value.settings, {
    rows: rows.filter((row) => row.project === root),
    today: days.find(({ day }) => day === dayOf(Date.now())),
  });
  return (
    <section aria-labelledby="budgets">
      <h2 id="budgets">Budgets of {baseName(root ?? '')}</h2>
      {budgets.length === 0 ? (
        <p className="quiet">
          No limits are set. <code>budget.usd: 5</code> in <code>.devs/config.yaml</code> stops a run at five dollars;{' '}
          <code>budget.day</code> counts all runs of a day.
        </p>
      ) : (
        <ul className="days">
          {budgets.map(({ what, unit, used, limit }) => (
            <li key={`${what} ${unit}`}>
              <span>{what}</span>
              <meter min="0" max={limit} value={Math.min(used, limit)} aria-label={`${what}: ${UNITS[unit](used)}`} />
              <span className="number">
                {UNITS[unit](used)} of {UNITS[unit](limit)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What it costs to put the specs in front of the agents again. */
function Reminders({ rows }: { readonly rows: readonly CostRow[] }) {
  const count = rows.reduce((sum, { reminders }) => sum + reminders.count, 0);
  const spent = rows.reduce((sum, { reminders }) => sum + reminders.tokens, 0);
  const input = rows.reduce((sum, { inputTokens }) => sum + inputTokens, 0);
  return (
    <section aria-labelledby="reminding">
      <h2 id="reminding">What reminding costs</h2>
      <p className="quiet">
        {count === 0
          ? 'No agent was reminded of the specs yet.'
          : `${count} reminders of the specs with ${tokens(spent)} tokens${input === 0 ? '' : `: ${percent(spent / input)} of all input`}.`}{' '}
        <code>reinjection.turns</code> and <code>reinjection.builtinTurns</code> say how often: half as often costs
        half.
      </p>
    </section>
  );
}

const MAX_DAYS = 30;

function Days({ days }: { readonly days: readonly DayCost[] }) {
  const shown = days.slice(-MAX_DAYS);
  const most = Math.max(...shown.map((day) => day.tokens), 1);
  return (
    <section aria-labelledby="cost-days">
      <h2 id="cost-days">Days</h2>
      <ul className="days">
        {shown.map(({ day, tokens: used, costUsd }) => (
          <li key={day}>
            <span className="number">{day}</span>
            <meter min="0" max={most} value={used} aria-label={`${tokens(used)} tokens`} />
            <span className="number">
              {tokens(used)}
              {costUsd > 0 ? ` · ${dollars(costUsd)}` : ''}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
