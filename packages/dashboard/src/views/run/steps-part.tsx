import { stepSpans } from '../../fold/step-spans.js';
import { dollars, tokens } from '../../words/numbers.js';
import { span } from '../../words/time.js';
import type { RunProps } from './run-page.js';

/** What each step took: time, turns, tokens and money, each call counted once. */
export function StepsPart({ run }: RunProps) {
  const steps = stepSpans(run.events);
  if (steps.length === 0) return null;
  const isOver = run.facts.phase.kind === 'finished';
  const isPriced = steps.some(({ costUsd }) => costUsd !== undefined);
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">Cost of each step</h2>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th>Step</th>
              <th className="number">Took</th>
              <th className="number wide-only">Turns</th>
              <th className="number wide-only">Input</th>
              <th className="number wide-only">Output</th>
              {isPriced ? <th className="number">Cost</th> : null}
            </tr>
          </thead>
          <tbody>
            {steps.map(({ name, isDone, from, to, turns, inputTokens, outputTokens, costUsd }) => (
              <tr key={`${from} ${name}`}>
                <td>
                  {name || (isOver ? 'after the last step' : 'under way')}
                  {to !== undefined && !isDone ? <span className="quiet"> failed</span> : null}
                </td>
                <td className="number">{to === undefined ? 'not over' : span(to - from)}</td>
                <td className="number wide-only">{turns === 0 ? NOT_COUNTED : turns}</td>
                <td className="number wide-only">{turns === 0 ? NOT_COUNTED : tokens(inputTokens)}</td>
                <td className="number wide-only">{turns === 0 ? NOT_COUNTED : tokens(outputTokens)}</td>
                {isPriced ? <td className="number">{turns === 0 ? NOT_COUNTED : dollars(costUsd)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {steps.some(({ turns }) => turns === 0) ? (
        <p className="quiet">{NOT_COUNTED} over before its turns were counted: they are with the step after it.</p>
      ) : null}
    </section>
  );
}

const NOT_COUNTED = '–';
