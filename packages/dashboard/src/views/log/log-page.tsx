import { describeEvent, type StoredEvent } from '@devs/core/folds';
import { useState } from 'react';
import { usePage, usePageState } from '../../parts/page-context.js';
import { Printed } from '../../parts/printed.js';
import { ProjectChoice, useProject } from '../../parts/project-choice.js';
import { exactTime } from '../../words/time.js';

const PAGE = 200;

/** The log of a project: search, filter, and the way to any position of it. */
export default function LogPage() {
  const { store } = usePage();
  const { past } = usePageState();
  const choice = useProject();
  const [text, setText] = useState('');
  const [kind, setKind] = useState('');
  const [pages, setPages] = useState(1);
  const root = choice.project?.root ?? '';
  const end = choice.project?.position ?? 0;
  const all = (store.logOf(root)?.fold.events ?? []).filter(({ position }) => position <= end);
  const wanted = text.toLowerCase();
  const found = all.filter(
    (event) =>
      event.stream.startsWith(kind) &&
      (wanted === '' || `${event.stream} ${event.type} ${describeEvent(event)}`.toLowerCase().includes(wanted)),
  );
  const shown = found.slice(-PAGE * pages).reverse();
  return (
    <>
      <div className="head">
        <h1>Log</h1>
        <ProjectChoice {...choice} />
      </div>
      <div className="search">
        <input
          type="search"
          aria-label="Search the log"
          placeholder="Search words, runs, event names"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <select aria-label="Kind" value={kind} onChange={({ target }) => setKind(target.value)}>
          <option value="">everything</option>
          <option value="run:">runs</option>
          <option value="terminal:">terminals</option>
          <option value="task:">tasks</option>
        </select>
        {past === undefined && end > 0 ? (
          <button type="button" onClick={() => store.showPast({ project: root, position: end })}>
            Go back in time
          </button>
        ) : null}
      </div>
      <p className="quiet">
        {found.length.toLocaleString('en')} of {all.length.toLocaleString('en')} events. A click on a position shows the
        whole page as it was then.
      </p>
      <Events events={shown} onChoose={(position) => store.showPast({ project: root, position })} />
      {found.length > shown.length ? (
        <button type="button" onClick={() => setPages(pages + 1)}>
          Show older events
        </button>
      ) : null}
      {all.length === 0 ? <p className="quiet">Nothing has happened in this project yet.</p> : null}
    </>
  );
}

interface EventsProps {
  readonly events: readonly StoredEvent[];
  onChoose(position: number): void;
}

const Events = ({ events, onChoose }: EventsProps) => (
  <div className="scroll">
    <table className="log">
      <thead>
        <tr>
          <th className="number">Position</th>
          <th>When</th>
          <th>Of</th>
          <th>What</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.position}>
            <td className="number">
              <button type="button" className="plain link" onClick={() => onChoose(event.position)}>
                {event.position.toLocaleString('en')}
              </button>
            </td>
            <td className="number quiet">{exactTime(event.at)}</td>
            <td className="stream">{event.stream}</td>
            <td>
              <details>
                <summary>{firstLine(describeEvent(event))}</summary>
                <Printed label="Data of the event">{JSON.stringify(event.data, null, 2)}</Printed>
              </details>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const MAX_LETTERS = 220;
function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length > MAX_LETTERS ? `${line.slice(0, MAX_LETTERS)} …` : line;
}
