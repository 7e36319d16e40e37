import type { StoredEvent } from '@devs/core/folds';
import { useState } from 'react';
import { wayOfPrompt } from '../../fold/way-of-prompt.js';
import { usePage } from '../../parts/page-context.js';
import { wordsOf } from '../../parts/toasts.js';
import { useAction } from '../../parts/use-action.js';
import { sendWords } from './send-words.js';

/** What became of a prompt: typed → arrived, as the agent's own records say. */
type Sent =
  | { readonly kind: 'none' }
  /** `since`: how many events the terminal had before. */
  | { readonly kind: 'typing'; readonly text: string; readonly since: number }
  | { readonly kind: 'ended'; readonly text: string; readonly tone: string; readonly words: string };

const KEYS: readonly (readonly [string, string])[] = [
  ['Esc', '\u001b'],
  ['Tab', '\t'],
  ['↑', '\u001b[A'],
  ['↓', '\u001b[B'],
  ['Enter', '\r'],
  ['Ctrl C', '\u0003'],
];

/** A text box instead of typing into a terminal, and the keys that dialogs take. */
interface ComposerProps {
  readonly name: string;
  readonly run: string | undefined;
  /** What the log says of this terminal. */
  readonly events: readonly StoredEvent[];
}

export function Composer({ name, run, events }: ComposerProps) {
  const { store } = usePage();
  const [text, setText] = useState('');
  const [sent, setSent] = useState<Sent>({ kind: 'none' });
  const action = useAction();
  const send = async () => {
    const prompt = text.trim();
    if (prompt === '' || sent.kind === 'typing') return;
    setSent({ kind: 'typing', text: prompt, since: events.length });
    try {
      const end = await sendWords(store.client, { terminal: name, run, text: prompt });
      setSent({ kind: 'ended', text: prompt, tone: end.tone, words: end.words });
      if (end.isDelivered) setText('');
    } catch (error) {
      setSent({ kind: 'ended', text: prompt, tone: 'bad', words: wordsOf(error) });
    }
  };
  const press = (keys: string) =>
    void action.run(async () => {
      const { outcome } = await store.client.call('terminals.keys', { terminal: name, keys });
      return outcome === 'written' ? undefined : `Not typed: ${outcome}`;
    });
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <SentMark sent={sent} events={events} />
      <div className="line">
        <textarea
          aria-label="Prompt"
          rows={2}
          placeholder="A prompt for the agent"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        <button type="submit" className="primary" disabled={text.trim() === '' || sent.kind === 'typing'}>
          {run === undefined ? 'Send' : 'Interrupt and send'}
        </button>
      </div>
      <p className="choices keybar">
        {KEYS.map(([label, keys]) => (
          <button type="button" key={label} disabled={action.isBusy} onClick={() => press(keys)}>
            {label}
          </button>
        ))}
      </p>
    </form>
  );
}

const ON_ITS_WAY = {
  sent: 'Sent to devs, and not typed yet',
  typed: 'Typed, and not taken up yet',
  settled: 'Typed, and its outcome is stored',
} as const;

function SentMark({ sent, events }: { readonly sent: Sent; readonly events: readonly StoredEvent[] }) {
  if (sent.kind === 'none') return null;
  return (
    <p className="note" role="status" data-tone={sent.kind === 'typing' ? 'busy' : sent.tone}>
      <b>{sent.kind === 'typing' ? ON_ITS_WAY[wayOfPrompt(events.slice(sent.since))] : sent.words}</b>{' '}
      <span className="quiet">“{sent.text.length > 80 ? `${sent.text.slice(0, 80)} …` : sent.text}”</span>
    </p>
  );
}
