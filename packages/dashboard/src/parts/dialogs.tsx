import { useState, useSyncExternalStore } from 'react';
import { type Cell, createCell } from '../live/cell.js';
import { Modal } from './modal.js';
import { usePage } from './page-context.js';

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

/** The page's own dialogs, in the place of the browser's. One is open at a time. */
export interface Dialogs {
  readonly open: Cell<Asked | undefined>;
  /** The text that the user gives, empty where none is wanted; `undefined` where they want nothing done. */
  ask(question: Question): Promise<string | undefined>;
}

export function createDialogs(): Dialogs {
  const open = createCell<Asked | undefined>(undefined);
  return {
    open,
    ask: (question) =>
      new Promise((resolve) => {
        open.get()?.answer(undefined);
        open.set({
          ...question,
          answer(text) {
            open.set(undefined);
            resolve(text);
          },
        });
      }),
  };
}

export function OpenDialog() {
  const { open } = usePage().dialogs;
  const question = useSyncExternalStore(open.subscribe, open.get);
  return question === undefined ? null : <QuestionDialog key={question.title} question={question} />;
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
