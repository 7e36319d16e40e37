import { reportRun, terminalsOfRun } from '@devs/core/folds';
import { Printed } from '../../parts/printed.js';
import { span } from '../../words/time.js';
import type { RunProps } from './run-page.js';

/** What came of it: steps with their times, checks, commits, questions. */
export function ReportPart({ run, project }: RunProps) {
  const terminals = new Map(terminalsOfRun(run.events).map((name) => [name, project.terminals.get(name) ?? []]));
  const report = reportRun({ id: run.id, run: run.events, terminals });
  return (
    <>
      <Steps steps={report.steps} />
      <Checks checks={report.checks} />
      {report.escalations.length === 0 ? null : <Questions questions={report.escalations} />}
    </>
  );
}

type Report = ReturnType<typeof reportRun>;

const Steps = ({ steps }: Pick<Report, 'steps'>) => (
  <section aria-labelledby="steps">
    <h2 id="steps">Steps</h2>
    {steps.length === 0 ? (
      <p className="quiet">No step has ended yet.</p>
    ) : (
      <div className="scroll">
        <table className="stacked">
          <thead>
            <tr>
              <th>Step</th>
              <th>Outcome</th>
              <th className="number">Took</th>
              <th>Said</th>
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => (
              <tr key={`${step.at} ${step.endedAt}`}>
                <td>{step.at}</td>
                <td>
                  <span className="badge" data-tone={step.status === 'done' ? 'good' : 'bad'}>
                    {step.status}
                  </span>
                </td>
                <td className="number">{span(step.workMs)}</td>
                <td className="said">{step.said}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);

const Checks = ({ checks }: Pick<Report, 'checks'>) => (
  <section aria-labelledby="checks">
    <h2 id="checks">Checks</h2>
    {checks.length === 0 ? <p className="quiet">None have run yet.</p> : null}
    {checks.map(({ command, exitCode, tail }) => (
      <details key={command.join(' ')} className="check">
        <summary>
          <span className="badge" data-tone={exitCode === 0 ? 'good' : 'bad'}>
            {exitCode === 0 ? 'passed' : `exit code ${exitCode}`}
          </span>{' '}
          <code>{command.join(' ')}</code>
        </summary>
        <Printed label="What it printed" className="rows">
          {tail}
        </Printed>
      </details>
    ))}
  </section>
);

const Questions = ({ questions }: { readonly questions: Report['escalations'] }) => (
  <section aria-labelledby="questions">
    <h2 id="questions">Questions</h2>
    <ul className="receipts">
      {questions.map(({ id, question, answer }) => (
        <li key={id} data-tone={answer === undefined ? 'open' : 'good'}>
          <strong>{question}</strong>
          <p>{answer === undefined ? 'not answered yet' : answer}</p>
        </li>
      ))}
    </ul>
  </section>
);
