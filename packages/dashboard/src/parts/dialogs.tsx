import { useState, useSyncExternalStore } from 'react';
import { Modal } from './modal.js';

/** Something that the user is asked before it is done. */
interface Question {
  readonly title: string;
  readonly detail?: string;
  /** A text is wanted; this is in the box at first. */
  readonly text?: string;
  /** What the button says that does it. */
  readonly action: string;
}

interface Asked extends Question {
  answer(text: string | undefined): void;
}

let asked: Asked | undefined;
const listeners = new Set<() => void>();
const set = (next: Asked | undefined): void => {
  asked = next;
  for (const listener of listeners) listener();
};

/** The text that the user gives, empty where none is wanted; `undefined` where they want nothing done. */
export const ask = (question: Question): Promise<string | undefined> =>
  new Promise((resolve) => {
    asked?.answer(undefined);
    set({
      ...question,
      answer(text) {
        set(undefined);
        resolve(text);
      },
    });
  });

/** The page's own dialogs, in the place of the browser's. */
export function Dialogs() {
  const open = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => asked,
  );
  return open === undefined ? null : <QuestionDialog key={open.title} question={open} />;
}

function QuestionDialog({ question }: { readonly question: Asked }) {
  const { title, detail, action, answer } = question;
  const wantsText = question.text !== undefined;
  const [text, setText] = useState(question.text ?? '');
  const isReady = !wantsText || text.trim() !== '';
  return (
    <Modal label={title} onClose={() => answer(undefined)}>
      <form
        className="ask"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) answer(text.trim());
        }}
      >
        <h2>{title}</h2>
        {detail === undefined ? null : <p className="detail">{detail}</p>}
        {wantsText ? (
          <textarea aria-label={title} rows={3} value={text} onChange={({ target }) => setText(target.value)} />
        ) : null}
        <p className="choices">
          <button type="submit" className="primary" disabled={!isReady}>
            {action}
          </button>
          <button type="button" onClick={() => answer(undefined)}>
            Cancel
          </button>
        </p>
      </form>
    </Modal>
  );
}
