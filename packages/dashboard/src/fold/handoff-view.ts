import type { CheckedItem, StoredEvent } from '@devs/core/folds';

/** A handoff as it was given to the next agent. */
export interface HandoffView {
  readonly position: number;
  readonly at: number;
  readonly terminal: string;
  readonly lines: readonly HandoffLine[];
  /** What the verification looked for and had to put in, each with the line that carries it now. */
  readonly added: readonly { readonly what: string; readonly line?: number }[];
  /** Everything that the verification looked for; empty for handoffs of older versions. */
  readonly checked: readonly CheckedItem[];
}

interface HandoffLine {
  readonly text: string;
  /** Not in the handoff before this one. */
  readonly isNew: boolean;
}

/** The handoffs in a terminal's record, oldest first. Pure. */
export function handoffViews(terminal: string, events: readonly StoredEvent[]): readonly HandoffView[] {
  let before = new Set<string>();
  return events.flatMap(({ type, at, position, data }) => {
    if (type !== 'document.verified') return [];
    const texts = String(data.document ?? '').split('\n');
    const isFirst = before.size === 0;
    const known = before;
    before = new Set(texts);
    const lines = texts.map((text) => ({ text, isNew: !isFirst && text.trim() !== '' && !known.has(text) }));
    const added = (Array.isArray(data.added) ? data.added : []).map((what) => carried(String(what), texts));
    const checked = (Array.isArray(data.checked) ? data.checked : []) as readonly CheckedItem[];
    return [{ position, at, terminal, lines, added, checked }];
  });
}

function carried(what: string, texts: readonly string[]): HandoffView['added'][number] {
  const word = /[\w./-]{4,}/.exec(what.split(/\s/).at(-1) ?? '')?.[0] ?? what;
  const line = texts.findIndex((text) => text.includes(what) || text.includes(word));
  return line === -1 ? { what } : { what, line };
}
