import type { Terminal } from '@devs/api';
import { Link } from 'wouter';
import { projectAround } from '../../fold/marks.js';
import { Gauge } from '../../parts/gauge.js';
import { usePageState } from '../../parts/page-context.js';
import { useScreens } from '../terminal/use-screens.js';

const LINES = 3;

/** Many terminals as text: the last lines of each, from the server's own screens. */
export function TerminalRows({ terminals }: { readonly terminals: readonly Terminal[] }) {
  const { projects, marks } = usePageState();
  const marksIn = (folder: string) => marks.get(projectAround(projects, folder)?.root ?? '');
  const screens = useScreens(terminals.map(({ name }) => name));
  return (
    <div className="cards">
      {terminals.map(({ name, agent, activity, usage, folder }) => (
        <article className="card" key={name}>
          <header>
            <span className="badge" data-tone={activity === 'waiting' ? 'call' : activity === 'busy' ? 'busy' : 'dim'}>
              {activity}
            </span>
            <span className="quiet clip">{agent}</span>
          </header>
          <h3>
            <Link href={`/terminals/${encodeURIComponent(name)}`}>{name}</Link>
          </h3>
          <Gauge usage={usage} marks={marksIn(folder)} agent={agent} />
          <pre className="rows">{lastLines(screens.get(name) ?? [])}</pre>
        </article>
      ))}
    </div>
  );
}

const lastLines = (rows: readonly string[]): string =>
  rows
    .map((row) => row.trimEnd())
    .filter((row) => row !== '')
    .slice(-LINES)
    .join('\n');
