import { useState } from 'react';
import { usePage } from '../../parts/page-context.js';
import { useAction } from '../../parts/use-action.js';

/** One more task, with what it waits for. */
export function AddTask({ project, known }: { readonly project: string; readonly known: readonly string[] }) {
  const { store } = usePage();
  const action = useAction();
  const [intent, setIntent] = useState('');
  const [after, setAfter] = useState('');
  const add = () =>
    void action.run(async () => {
      const id = freeId(intent, known);
      const depends_on = after.split(/[\s,]+/).filter((name) => name !== '');
      await store.client.call('tasks.add', { project, tasks: [{ id, intent: intent.trim(), depends_on }] });
      setIntent('');
      setAfter('');
      return `Added ${id}.`;
    });
  return (
    <form
      className="add-task"
      onSubmit={(event) => {
        event.preventDefault();
        if (intent.trim() !== '') add();
      }}
    >
      <input
        aria-label="What to do"
        placeholder="What to do"
        value={intent}
        onChange={({ target }) => setIntent(target.value)}
      />
      <input
        aria-label="After these tasks"
        placeholder="after: ids"
        list="task-ids"
        value={after}
        onChange={({ target }) => setAfter(target.value)}
      />
      <datalist id="task-ids">
        {known.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <button type="submit" className="primary" disabled={action.isBusy || intent.trim() === ''}>
        Add
      </button>
    </form>
  );
}

const MAX_LETTERS = 40;

/** `add-a-cart`, or `add-a-cart-2` where that is taken. */
function freeId(intent: string, known: readonly string[]): string {
  const base =
    intent
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, MAX_LETTERS)
      .replace(/^-+|-+$/g, '') || 'task';
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!known.includes(id)) return id;
  }
}
