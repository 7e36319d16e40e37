import { useState } from 'react';
import { type TimelineKind, timelineOf } from '../../fold/timeline.js';
import { usePage } from '../../parts/page-context.js';
import { clockTime } from '../../words/time.js';
import type { RunProps } from './run-page.js';

const KINDS: Readonly<Record<TimelineKind, string>> = {
  step: 'steps',
  turn: 'turns',
  context: 'context',
  prompt: 'prompts',
  question: 'questions',
  check: 'checks and commits',
  trouble: 'trouble',
  other: 'the rest',
};
const MOST = 400;

/** Everything that happened, newest first. Each line leads to that position. */
export function TimelinePart({ run, project }: RunProps) {
  const { store } = usePage();
  const [hidden, setHidden] = useState<ReadonlySet<TimelineKind>>(new Set(['turn']));
  const items = timelineOf(run, project).filter(({ kind }) => !hidden.has(kind));
  const toggle = (kind: TimelineKind) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    setHidden(next);
  };
  return (
    <section aria-label="Timeline">
      <p className="choices filters kinds">
        {(Object.keys(KINDS) as TimelineKind[]).map((kind) => (
          <button type="button" key={kind} aria-pressed={!hidden.has(kind)} onClick={() => toggle(kind)}>
            {KINDS[kind]}
          </button>
        ))}
      </p>
      <ol className="timeline">
        {items
          .slice(-MOST)
          .reverse()
          .map(({ position, at, kind, text }) => (
            <li key={position} data-kind={kind}>
              <button
                type="button"
                className="plain number"
                title="Show the page as it was then"
                onClick={() => store.showPast({ project: project.root, position })}
              >
                {clockTime(at)}
              </button>
              <Words text={text} />
            </li>
          ))}
      </ol>
      {items.length > MOST ? <p className="quiet">The newest {MOST}; all of them are in the log.</p> : null}
    </section>
  );
}

const MAX_LETTERS = 280;

/** A long text is one line until it is opened. */
function Words({ text }: { readonly text: string }) {
  if (text.length <= MAX_LETTERS) return <p>{text}</p>;
  return (
    <details>
      <summary>
        {text.slice(0, MAX_LETTERS).split('\n', 2).join(' ')} … <small className="quiet">{letters(text)}</small>
      </summary>
      <p>{text}</p>
    </details>
  );
}

const letters = ({ length }: string): string => `${length.toLocaleString('en')} characters`;
