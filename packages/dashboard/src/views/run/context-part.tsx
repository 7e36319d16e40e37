import { type ReportRenewal, reportRun, terminalsOfRun } from '@devs/core/folds';
import { type Receipt, receiptsOf } from '../../fold/receipts.js';
import { percent, tokens } from '../../words/numbers.js';
import { clockTime, dayTime } from '../../words/time.js';
import { PutBack } from './put-back.js';
import type { RunProps } from './run-page.js';

/** What was done to the context of the agents, as receipts, and what was lost by it. */
export function ContextPart({ run, project }: RunProps) {
  const terminals = new Map(terminalsOfRun(run.events).map((name) => [name, project.terminals.get(name) ?? []]));
  const report = reportRun({ id: run.id, run: run.events, terminals });
  const receipts = receiptsOf(run.events);
  const { count, tokens: spent, share } = report.reinjections;
  return (
    <>
      <section aria-labelledby="receipts">
        <h2 id="receipts">Context actions</h2>
        {receipts.length === 0 ? (
          <p className="quiet">No step has asked for one.</p>
        ) : (
          <ul className="receipts">
            {receipts.map((receipt) => (
              <ReceiptView key={receipt.askedAt} receipt={receipt} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="renewals">
        <h2 id="renewals">Renewals, and what was lost</h2>
        {report.renewals.length === 0 ? (
          <p className="quiet">The agent was not renewed: nothing was lost.</p>
        ) : (
          <ul className="receipts">
            {report.renewals.map((renewal) => (
              <RenewalView key={renewal.at} renewal={renewal} project={project.root} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="reminders">
        <h2 id="reminders">Reminders of the specs</h2>
        <p className="quiet">
          {count === 0
            ? 'None were needed.'
            : `${count} with ${tokens(spent)} tokens${share === undefined ? '' : `, ${percent(share)} of all input`}.`}
        </p>
      </section>
    </>
  );
}

function ReceiptView({ receipt }: { readonly receipt: Receipt }) {
  const { action, by, askedAt, performed, end } = receipt;
  const tone = end === undefined ? 'open' : end.isObserved ? 'good' : 'bad';
  return (
    <li data-tone={by === 'agent' && end === undefined ? 'open' : tone}>
      <strong>/{action}</strong>
      <ol className="trail">
        <li>
          {by === 'agent' ? 'the agent was told' : 'asked for'} <small className="number">{clockTime(askedAt)}</small>
        </li>
        {performed.map(({ at, how }) => (
          <li key={at}>
            performed{how === '' ? '' : ` by ${how}`} <small className="number">{clockTime(at)}</small>
          </li>
        ))}
        {end === undefined ? (
          <li>not seen yet</li>
        ) : (
          <li>
            {end.isObserved ? 'seen to happen' : 'given up'}: {end.detail}{' '}
            <small className="number">{clockTime(end.at)}</small>
          </li>
        )}
      </ol>
    </li>
  );
}

const TONES = { completed: 'good', abandoned: 'open', failed: 'bad', 'under way': 'open' } as const;

const RenewalView = ({ renewal, project }: { readonly renewal: ReportRenewal; readonly project: string }) => (
  <li data-tone={TONES[renewal.outcome]}>
    <strong>{renewal.outcome}</strong>
    <div>
      <p>
        {renewal.cause} in {renewal.terminal} <small className="number quiet">{dayTime(renewal.at)}</small>
      </p>
      {renewal.detail === undefined ? null : <p>{renewal.detail}</p>}
      <p className="quiet">
        Its own words: {renewal.ownWords}.
        {renewal.checkpoint === undefined ? '' : ` Files kept at ${renewal.checkpoint.commit.slice(0, 10)}.`}
      </p>
      {renewal.lost.length === 0 ? (
        <p className="quiet">Nothing is known to be lost.</p>
      ) : (
        <ul className="lost">
          {renewal.lost.map((fact) => (
            <li key={fact}>
              {fact} <PutBack fact={fact} terminal={renewal.terminal} project={project} />
            </li>
          ))}
        </ul>
      )}
    </div>
  </li>
);
