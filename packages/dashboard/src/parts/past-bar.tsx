import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { baseName } from '../words/numbers.js';
import { exactTime } from '../words/time.js';
import { usePage, usePageState } from './page-context.js';

/** While the page stands in the past: where, and the way back and forth. */
export function PastBar() {
  const { store } = usePage();
  const { past } = usePageState();
  useAddressedPast();
  if (past === undefined) return null;
  const fold = store.logOf(past.project)?.fold;
  const end = fold?.state.position ?? past.position;
  const first = fold?.events[0]?.position ?? 1;
  const show = (position: number) => store.showPast({ project: past.project, position: clamp(position, first, end) });
  return (
    <section className="past-bar" aria-label="The past">
      <strong>
        {baseName(past.project)} at {past.position.toLocaleString('en')}
      </strong>
      {past.position < first ? (
        <span className="note" data-tone="warn">
          Archived: the log here begins at {first.toLocaleString('en')}.
        </span>
      ) : (
        <span className="quiet">{exactTime(past.at)}</span>
      )}
      <span className="scrub">
        <button type="button" aria-label="One event back" onClick={() => show(past.position - 1)}>
          ‹
        </button>
        <input
          type="range"
          min={first}
          max={end}
          value={past.position}
          aria-label="Position of the log"
          onChange={({ target }) => show(Number(target.value))}
        />
        <button type="button" aria-label="One event forward" onClick={() => show(past.position + 1)}>
          ›
        </button>
      </span>
      <button type="button" className="primary" onClick={() => store.showPast(undefined)}>
        Back to now
      </button>
    </section>
  );
}

const clamp = (position: number, first: number, end: number): number => Math.min(Math.max(first, position), end);

/** A link to a position: `?at=120&of=/shop`. Taken once the log is here, and kept in the address. */
function useAddressedPast(): void {
  const { store } = usePage();
  const { past } = usePageState();
  const [view] = useLocation();
  const asked = new URLSearchParams(location.search);
  const [at, of] = [Number(asked.get('at')), asked.get('of') ?? ''];
  const isHere = store.logOf(of)?.isCaughtUp === true;
  /** The position of the address is shown, or another one was chosen. */
  const wasTaken = useRef(false);
  useEffect(() => {
    if (!isHere || wasTaken.current || !(at > 0)) return;
    wasTaken.current = true;
    store.showPast({ project: of, position: at });
  }, [isHere, at, of, store]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address of another view has no position yet
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    if (past === undefined) {
      if (!wasTaken.current) return;
      query.delete('at');
      query.delete('of');
    } else {
      wasTaken.current = true;
      query.set('at', String(past.position));
      query.set('of', past.project);
    }
    const text = query.toString();
    history.replaceState(history.state, '', `${location.pathname}${text === '' ? '' : `?${text}`}`);
  }, [past, view]);
}
