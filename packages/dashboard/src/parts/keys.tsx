import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { runCards } from '../fold/run-cards.js';
import { Modal } from './modal.js';
import { PLACES } from './navigation.js';
import { interruptWords, renewWords } from './outcome-words.js';
import { usePage, usePageState } from './page-context.js';
import { useAction } from './use-action.js';
import { chooseTheme } from './use-theme.js';

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
  ['Ctrl K or /', 'find a view, run, terminal or command'],
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
  if (dialog === 'palette') return <Palette onClose={close} onHelp={() => setDialog('help')} />;
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

/** A place to show, or something to do. */
interface Found {
  readonly name: string;
  readonly kind: string;
  open(): void;
}

const MOST = 12;

function Palette({ onClose, onHelp }: { onClose(): void; onHelp(): void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = useFound(text, onHelp);
  const open = (one: Found | undefined) => {
    if (one === undefined) return;
    onClose();
    one.open();
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
        aria-label="View, run, terminal or command"
        placeholder="View, run, terminal or command"
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
            key={`${one.kind} ${one.name}`}
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

function useFound(text: string, onHelp: () => void): readonly Found[] {
  const [, navigate] = useLocation();
  const { projects, runs, terminals, past } = usePageState();
  const cards = runCards(projects, { runs, terminals, isPast: past !== undefined });
  const to = (path: string) => () => navigate(path);
  const commands = useCommands(onHelp);
  const all: readonly Found[] = [
    ...PLACES.map(({ name, path }) => ({ name, open: to(path), kind: 'view' })),
    ...cards.map(({ id, request }) => ({ name: `${id}  ${request}`, open: to(`/runs/${id}`), kind: 'run' })),
    ...terminals.map(({ name }) => ({ name, open: to(`/terminals/${name}`), kind: 'terminal' })),
    ...commands,
  ];
  const words = text.toLowerCase().split(/\s+/);
  return all.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word))).slice(0, MOST);
}

/** What can be done from anywhere; what a viewer or the past may not do is left out. */
function useCommands(onHelp: () => void): readonly Found[] {
  const { store, session } = usePage();
  const { terminals, past } = usePageState();
  const action = useAction();
  const { client } = store;
  const mayChange = session.scope() === 'owner' && past === undefined;
  const command = (name: string, open: () => void): Found => ({ name, kind: 'command', open });
  const act = (name: string, work: () => Promise<string | undefined>) => command(name, () => void action.run(work));
  return [
    ...(mayChange
      ? terminals.flatMap(({ name: terminal }) => [
          act(`Interrupt ${terminal}`, async () =>
            interruptWords(await client.call('terminals.interrupt', { terminal })),
          ),
          act(`Renew ${terminal}`, async () => renewWords(await client.call('terminals.renew', { terminal }))),
        ])
      : []),
    ...(past === undefined ? [] : [command('Back to now', () => store.showPast(undefined))]),
    command('Colours: light', () => chooseTheme('light')),
    command('Colours: dark', () => chooseTheme('dark')),
    command('Colours: as the system', () => chooseTheme('system')),
    command('Keys', onHelp),
  ];
}
