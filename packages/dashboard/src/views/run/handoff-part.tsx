import { type CheckedItem, terminalsOfRun } from '@devs/core/folds';
import { useState } from 'react';
import { type HandoffView, handoffViews } from '../../fold/handoff-view.js';
import { exactTime } from '../../words/time.js';
import type { RunProps } from './run-page.js';

/** The handoff beside what the verification looked for. */
export function HandoffPart({ run, project }: RunProps) {
  const handoffs = terminalsOfRun(run.events).flatMap((name) => handoffViews(name, project.terminals.get(name) ?? []));
  const [chosen, setChosen] = useState<number>();
  const handoff = handoffs.find(({ position }) => position === chosen) ?? handoffs.at(-1);
  if (handoff === undefined) return <p className="quiet">No handoff yet: one is written when an agent is renewed.</p>;
  return (
    <section aria-label="Handoffs">
      {handoffs.length < 2 ? null : (
        <p className="choices filters">
          {handoffs.map(({ position, at }) => (
            <button
              type="button"
              key={position}
              aria-pressed={position === handoff.position}
              onClick={() => setChosen(position)}
            >
              {exactTime(at)}
            </button>
          ))}
        </p>
      )}
      <div className="handoff">
        <Document handoff={handoff} />
        <Looked handoff={handoff} isFirst={handoff === handoffs[0]} />
      </div>
    </section>
  );
}

const Document = ({ handoff }: { readonly handoff: HandoffView }) => (
  <div className="paper" role="document" aria-label="The handoff">
    {handoff.lines.map(({ text, isNew }, index) => (
      <p
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that does not change
        key={index}
        id={`line-${index}`}
        data-new={isNew}
        data-added={handoff.added.some(({ line }) => line === index)}
      >
        {text === '' ? '\u00a0' : text}
      </p>
    ))}
  </div>
);

const Looked = ({ handoff, isFirst }: { readonly handoff: HandoffView; readonly isFirst: boolean }) => (
  <aside>
    <h2>What devs looked for</h2>
    {handoff.checked.length === 0 ? (
      <p className="quiet">Every changed file, open task, request and standing error.</p>
    ) : (
      <ul className="checked">
        {handoff.checked.map((item) => (
          <Checked key={`${item.what} ${item.text}`} item={item} />
        ))}
      </ul>
    )}
    <h2>What devs put in</h2>
    {handoff.added.length === 0 ? (
      <p className="note" data-tone="good">
        Nothing was missing.
      </p>
    ) : (
      <ul className="looked">
        {handoff.added.map(({ what, line }) => (
          <li key={what}>{line === undefined ? what : <a href={`#line-${line}`}>{what}</a>}</li>
        ))}
      </ul>
    )}
    <p className="quiet">
      {isFirst ? '' : 'Lines with a bar are new since the handoff before. '}
      {handoff.added.length === 0 ? '' : 'A green ground marks what devs put in.'}
    </p>
  </aside>
);

const KINDS: Readonly<Record<CheckedItem['what'], string>> = {
  'last-request': 'last request',
  'open-task': 'open task',
  'changed-file': 'changed file',
  'unresolved-error': 'standing error',
  'unfinished-operation': 'unfinished operation',
  'unproven-claim': 'claim without proof',
};

const Checked = ({ item: { what, text, line, sources } }: { readonly item: CheckedItem }) => (
  <li data-found={line !== undefined}>
    <strong>{KINDS[what]}</strong>
    <span className="clip" title={text}>
      {text.replaceAll('`', '')}
    </span>
    <small className="quiet">
      {line === undefined ? 'no line carries it' : <a href={`#line-${line}`}>line {line + 1}</a>}
      {sources.length === 0 ? '' : ` · from ${sources.join(', ')}`}
    </small>
  </li>
);
