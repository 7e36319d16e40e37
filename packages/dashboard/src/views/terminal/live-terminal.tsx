import type { LiveClient } from '@devs/api';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { useEffect, useRef, useState } from 'react';
import type { Dialogs } from '../../parts/dialogs.js';
import { usePage } from '../../parts/page-context.js';
import { showEnd } from '../../parts/show-end.js';

/** The live terminal. Typing into it needs a click: the agent's user may sit in front of it elsewhere. */
export default function LiveTerminal({ name, mayType }: { readonly name: string; readonly mayType: boolean }) {
  const { store, dialogs } = usePage();
  const place = useRef<HTMLDivElement>(null);
  const [hasTakenOver, setTakenOver] = useState(false);
  const [note, setNote] = useState('');
  useEffect(() => {
    if (place.current === null) return undefined;
    return openTerminal(place.current, {
      live: store.live,
      name,
      input: hasTakenOver,
      onNote: setNote,
      onLink: (link) => void openLink(link, dialogs),
    });
  }, [store, dialogs, name, hasTakenOver]);
  return (
    <div className="live-terminal">
      <p className="choices">
        {mayType ? (
          <button type="button" aria-pressed={hasTakenOver} onClick={() => setTakenOver(!hasTakenOver)}>
            {hasTakenOver ? 'Give back' : 'Take over'}
          </button>
        ) : null}
        <span className="quiet" role="status">
          {note ||
            (hasTakenOver ? 'What you type goes to the agent. devs leaves it alone meanwhile.' : 'Looking only.')}
        </span>
      </p>
      <div ref={place} className="xterm-place" />
    </div>
  );
}

interface Options {
  readonly live: LiveClient;
  readonly name: string;
  readonly input: boolean;
  onNote(note: string): void;
  onLink(link: string): void;
}

function openTerminal(element: HTMLElement, { live, name, input, onNote, onLink }: Options): () => void {
  const terminal = new Terminal({
    disableStdin: !input,
    cursorBlink: input,
    fontSize: USUAL_PX,
    fontFamily: 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
    scrollback: 10_000,
    linkHandler: { activate: (_, link) => onLink(link) },
    theme: { background: '#0b0e13', foreground: '#e6eaf0' },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(element);
  // OSC 52 would let an agent write to the clipboard of who looks at it.
  terminal.parser.registerOscHandler(52, () => true);
  let offset = 0;
  let isSnapshot = false;
  const subscription = live.subscribe(
    { to: 'terminal', terminal: name, ...(input ? { input: true } : {}) },
    {
      onMessage(message) {
        if (message.type === 'snapshot') {
          terminal.reset();
          terminal.resize(message.columns, message.rows);
          fitted.now();
          offset = message.offset;
          isSnapshot = true;
        } else if (message.type === 'resized') {
          terminal.resize(message.columns, message.rows);
          fitted.now();
        } else if (message.type === 'exited')
          onNote(`The agent has ended with exit code ${message.exitCode ?? 'unknown'}.`);
        else if (message.type === 'ended') onNote(message.problem?.message ?? 'The terminal has ended.');
      },
      onBytes(bytes) {
        if (!isSnapshot) offset += bytes.length;
        isSnapshot = false;
        const drawn = offset;
        terminal.write(bytes, () => subscription.ack(drawn));
      },
    },
  );
  const fitted = keepFitted(element, terminal);
  const typed = terminal.onData((text) => subscription.type(new TextEncoder().encode(text)));
  if (input) {
    const size = fit.proposeDimensions();
    if (size !== undefined) subscription.resize({ columns: size.cols, rows: size.rows });
    terminal.focus();
  }
  return () => {
    typed.dispose();
    fitted.stop();
    subscription.close();
    terminal.dispose();
  };
}

const USUAL_PX = 13;
/** Smaller letters are hard to read; larger ones would look like a poster. */
const [MIN_PX, MAX_PX] = [9, 17] as const;

/** Letters as large as the width of the place allows; the last rows are in sight, as an agent's prompt is there. */
function keepFitted(element: HTMLElement, terminal: Terminal): { now(): void; stop(): void } {
  const now = () => {
    const screen = element.querySelector<HTMLElement>('.xterm-screen');
    const { fontSize = USUAL_PX } = terminal.options;
    if (screen === null || screen.offsetWidth === 0) return;
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    const width = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const fitting = Math.floor((fontSize * width) / screen.offsetWidth);
    terminal.options.fontSize = Math.min(MAX_PX, Math.max(MIN_PX, fitting));
    showEnd(element);
  };
  const resized = new ResizeObserver(now);
  resized.observe(element);
  return { now, stop: () => resized.disconnect() };
}

/** Shown in full before it is opened; nothing but the web. */
async function openLink(link: string, { ask }: Dialogs): Promise<void> {
  if (!/^https?:\/\//.test(link)) return;
  const isWanted = await ask({ title: 'Open this address?', detail: link, action: 'Open it' });
  if (isWanted !== undefined) window.open(link, '_blank', 'noopener,noreferrer');
}
