import { freshnessOf } from '../fold/freshness.js';
import { span } from '../words/time.js';
import { useNow, usePageState } from './page-context.js';

/** What position the page shows, and how old that is. */
export function FreshnessMark() {
  const now = useNow();
  const { hearing, projects, past, isOutdated } = usePageState();
  const freshness = freshnessOf(hearing, now);
  const position = projects.reduce((sum, project) => sum + project.position, 0);
  if (isOutdated)
    return (
      <button type="button" className="fresh" data-state="stale" onClick={() => location.reload()}>
        <i aria-hidden="true" />
        devs was updated: reload
      </button>
    );
  const isPast = past !== undefined;
  return (
    <p
      className="fresh"
      data-state={isPast ? 'past' : freshness.kind}
      data-position={position}
      data-confirmed={hearing.confirmedAt}
      title="The page shows every event up to this position of the log; the age says when that was last confirmed."
    >
      <i aria-hidden="true" />
      <span>
        <b>{isPast ? 'past' : WORDS[freshness.kind]}</b>
        {freshness.kind === 'connecting' || isPast ? null : <span className="age"> {span(freshness.ageMs)}</span>}
      </span>
      <small className="number">{where(past?.position ?? position, isPast ? 1 : projects.length)}</small>
    </p>
  );
}

/** A position belongs to one log; of several logs, this is how many events they have together. */
const where = (position: number, logs: number): string =>
  logs < 2 ? `at ${position.toLocaleString('en')}` : `${position.toLocaleString('en')} events of ${logs} logs`;

const WORDS = { connecting: 'connecting', live: 'live', stale: 'silent', lost: 'lost, retrying' } as const;
