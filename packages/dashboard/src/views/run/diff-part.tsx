import { useEffect, useState } from 'react';
import { type DiffFile, parseDiff } from '../../fold/parse-diff.js';
import { stepSpans } from '../../fold/step-spans.js';
import { usePage, usePageState } from '../../parts/page-context.js';
import { wordsOf } from '../../parts/toasts.js';
import { DiffFiles } from './diff-files.js';
import type { RunProps } from './run-page.js';

type Loaded = { readonly files: readonly DiffFile[] } | { readonly problem: string };

/** Commits, and everything that the run changed since it began. */
export function DiffPart({ run, project }: RunProps) {
  const { past } = usePageState();
  const [chosen, setChosen] = useState<number>();
  const { commits } = run.facts;
  const steps = stepSpans(run.events).filter(({ base, tip }) => base !== undefined && tip !== base);
  const step = chosen === undefined ? undefined : steps[chosen];
  const loaded = useDiff({ run, project, from: step?.base, to: step?.tip });
  return (
    <>
      <section aria-labelledby="commits">
        <h2 id="commits">Commits</h2>
        {commits.length === 0 ? <p className="quiet">None are known yet.</p> : null}
        <ul className="commits">
          {commits.map(({ hash, subject }) => (
            <li key={hash}>
              <code>{hash.slice(0, 10)}</code> {subject}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="diff">
        <h2 id="diff">Changes{past === undefined ? '' : ', as they are now'}</h2>
        {steps.length === 0 ? null : (
          <p className="choices filters">
            <button type="button" aria-pressed={step === undefined} onClick={() => setChosen(undefined)}>
              the whole run
            </button>
            {steps.map(({ name, from: at }, index) => (
              <button
                type="button"
                key={`${at} ${name}`}
                aria-pressed={index === chosen}
                onClick={() => setChosen(index)}
              >
                {name || 'after the last step'}
              </button>
            ))}
          </p>
        )}
        {loaded === undefined ? <p className="quiet">Loading …</p> : null}
        {loaded !== undefined && 'problem' in loaded ? <p className="quiet">{loaded.problem}</p> : null}
        {loaded !== undefined && 'files' in loaded ? <DiffFiles files={loaded.files} /> : null}
      </section>
    </>
  );
}

interface Wanted extends RunProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** What the run changed between two commits; missing: from its beginning, to its end. */
function useDiff({ run, project, from, to }: Wanted): Loaded | undefined {
  const { store } = usePage();
  const [loaded, setLoaded] = useState<Loaded>();
  const { commits, head } = run.facts;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another commit is another difference
  useEffect(() => {
    let isOver = false;
    store.client
      .call('runs.diff', {
        run: run.id,
        project: project.root,
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      })
      .then(({ text }): Loaded => ({ files: parseDiff(text) }))
      .catch((error: unknown): Loaded => ({ problem: wordsOf(error) }))
      .then((found) => {
        if (!isOver) setLoaded(found);
      });
    return () => {
      isOver = true;
    };
  }, [store, run.id, project.root, head, commits.length, from, to]);
  return loaded;
}
