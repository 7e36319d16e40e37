import { useEffect, useRef, useState } from 'react';
import { usePage } from '../../parts/page-context.js';
import { Printed } from '../../parts/printed.js';
import { showEnd } from '../../parts/show-end.js';
import { wordsOf } from '../../parts/toasts.js';

const MOST = 2_000;

/** Everything that the server's own terminal still has, searchable. */
export function History({ name }: { readonly name: string }) {
  const { store } = usePage();
  const [lines, setLines] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const [text, setText] = useState('');
  useEffect(() => {
    let isOver = false;
    store.client.call('terminals.screen', { terminal: name }).then(
      (screen) => void (isOver || setLines(screen.lines)),
      (error: unknown) => void (isOver || setProblem(wordsOf(error))),
    );
    return () => {
      isOver = true;
    };
  }, [store, name]);
  const place = useRef<HTMLPreElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest lines are at the end
  useEffect(() => showEnd(place.current), [lines]);
  const wanted = text.toLowerCase();
  const found = lines.filter((line) => line.toLowerCase().includes(wanted));
  return (
    <section aria-label="History" className="history">
      <input
        type="search"
        aria-label="Search the history"
        placeholder="Search the history"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {problem === undefined ? (
        <p className="quiet">
          {found.length.toLocaleString('en')} of {lines.length.toLocaleString('en')} lines
        </p>
      ) : (
        <p className="note">{problem}</p>
      )}
      <Printed label="Lines of the terminal" ref={place} className="rows screen wraps">
        {found.slice(-MOST).join('\n')}
      </Printed>
    </section>
  );
}
