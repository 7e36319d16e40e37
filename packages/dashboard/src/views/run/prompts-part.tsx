import { promptsOf, timelineOf } from '../../fold/timeline.js';
import { clockTime } from '../../words/time.js';
import type { RunProps } from './run-page.js';

/** The exact words that went to the agent. */
export function PromptsPart({ run, project }: RunProps) {
  const prompts = promptsOf(timelineOf(run, project)).toReversed();
  if (prompts.length === 0) return <p className="quiet">devs has typed nothing for this agent yet.</p>;
  return (
    <section aria-label="Prompts" className="prompts">
      {prompts.map(({ position, at, prompt }) => (
        <details key={position}>
          <summary>
            <span className="number">{clockTime(at)}</span>
            <span className="clip">{prompt.split('\n', 1)[0]}</span>
            <small className="quiet number">{prompt.length.toLocaleString('en')} characters</small>
          </summary>
          <pre>{prompt}</pre>
        </details>
      ))}
    </section>
  );
}
