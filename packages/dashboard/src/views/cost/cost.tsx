import { Link } from 'wouter';
import { costByDay, costRows, type DayCost } from '../../fold/cost-table.js';
import { usePageState } from '../../parts/page-context.js';
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
          {tokens(sum)} tokens in {rows.length} runs; cost {dollars(cost)}
        </p>
      </div>
      {days.length === 0 ? null : <Days days={days} />}
      <section aria-labelledby="cost-runs">
        <h2 id="cost-runs">Runs</h2>
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th>Run</th>
                <th>Task</th>
                <th className="number">Started</th>
                <th className="number">Turns</th>
                <th className="number">Input</th>
                <th className="number">From cache</th>
                <th className="number">Output</th>
                <th className="number">Reminders</th>
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
                  <td>{row.task ?? ''}</td>
                  <td className="number">{dayTime(row.at)}</td>
                  <td className="number">{row.turns}</td>
                  <td className="number">{tokens(row.inputTokens)}</td>
                  <td className="number">{row.inputTokens === 0 ? '' : percent(row.cachedTokens / row.inputTokens)}</td>
                  <td className="number">{tokens(row.outputTokens)}</td>
                  <td className="number">
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
    </>
  );
}

const MOST_DAYS = 30;

function Days({ days }: { readonly days: readonly DayCost[] }) {
  const shown = days.slice(-MOST_DAYS);
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
