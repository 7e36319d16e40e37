import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { runCards } from '../fold/run-cards.js';
import { Modal } from './modal.js';
import { PLACES } from './navigation.js';
import { usePage, usePageState } from './page-context.js';

/** What a key leads to, after `g`. */
const GO: Readonly<Record<string, string>> = {
  o: '/',
  i: '/inbox',
  t: '/tasks',
  l: '/log',
  c: '/cost',
  n: '/new',
  s: '/settings',
};

const HELP: readonly (readonly [string, string])[] = [
  ['Ctrl K or /', 'find a view, run or terminal'],
  ['g o', 'overview'],
  ['g i', 'inbox'],
  ['g t', 'tasks'],
  ['g l', 'log'],
  ['g c', 'cost'],
  ['g n', 'new run'],
  ['g s', 'settings'],
  ['n', 'back to now, from the past'],
  ['?', 'these keys'],
  ['Esc', 'close'],
];

/** The keys of the page, and the two dialogs that they open. */
export function Keys() {
  const { store } = usePage();
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'none' | 'palette' | 'help'>('none');
  const isAfterG = useRef(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        return setDialog('palette');
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const wasG = isAfterG.current;
      isAfterG.current = event.key === 'g';
      const path = wasG ? GO[event.key] : undefined;
      if (path !== undefined) navigate(path);
      else if (event.key === '?') setDialog('help');
      else if (event.key === 'n') store.showPast(undefined);
      else if (event.key === '/') {
        event.preventDefault();
        setDialog('palette');
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, store]);
  const close = () => setDialog('none');
  if (dialog === 'palette') return <Palette onClose={close} />;
  return dialog === 'help' ? <KeyHelp onClose={close} /> : null;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches('input, textarea, select') || target.isContentEditable || target.closest('.xterm') !== null);

const KeyHelp = ({ onClose }: { onClose(): void }) => (
  <Modal label="Keys" onClose={onClose}>
    <h2>Keys</h2>
    <dl className="keys">
      {HELP.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Modal>
);

interface Found {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
}

const MOST = 12;

function Palette({ onClose }: { onClose(): void }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = useFound(text);
  const open = (one: Found | undefined) => {
    if (one === undefined) return;
    onClose();
    navigate(one.path);
  };
  const onKey = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((found.length + chosen + step) % Math.max(1, found.length));
    }
    if (event.key === 'Enter') open(found[chosen]);
  };
  return (
    <Modal label="Find" onClose={onClose}>
      <input
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length === 0 ? undefined : `palette-${chosen}`}
        aria-label="View, run or terminal"
        placeholder="View, run or terminal"
        value={text}
        onKeyDown={onKey}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(0);
        }}
      />
      <div className="palette" id="palette-list" role="listbox" aria-label="What was found">
        {found.map((one, index) => (
          <button
            type="button"
            key={one.path}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            onClick={() => open(one)}
          >
            <span className="clip">{one.name}</span>
            <small>{one.kind}</small>
          </button>
        ))}
      </div>
      {found.length === 0 ? <p className="quiet">Nothing has this name.</p> : null}
    </Modal>
  );
}

function useFound(text: string): readonly Found[] {
  const { projects, runs, terminals, past } = usePageState();
  const cards = runCards(projects, { runs, terminals, isPast: past !== undefined });
  const all: readonly Found[] = [
    ...PLACES.map(({ name, path }) => ({ name, path, kind: 'view' })),
    ...cards.map(({ id, request }) => ({ name: `${id}  ${request}`, path: `/runs/${id}`, kind: 'run' })),
    ...terminals.map(({ name }) => ({ name, path: `/terminals/${name}`, kind: 'terminal' })),
  ];
  const words = text.toLowerCase().split(/\s+/);
  return all.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word))).slice(0, MOST);
}
