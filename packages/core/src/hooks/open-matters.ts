import type { HandoffDocument, HandoffItem, SectionId } from '../handoff/document/handoff-document.js';
import type { Ledger } from '../handoff/ledger/ledger.js';

/**
 * Unfinished parts of a conversation: open tasks, unresolved errors, and the last request to go with them. Empty if
 * all is done, so that a fresh start is not burdened with the past.
 */
export function openMatters(document: HandoffDocument, ledger: Ledger): HandoffDocument | undefined {
  const required = (wanted: SectionId): readonly HandoffItem[] =>
    document.sections.find(({ id }) => id === wanted)?.items.filter((item) => item.required === true) ?? [];
  const tasks = required('tasks');
  const errors = required('errors').slice(0, MAX_ERRORS);
  if (tasks.length + errors.length === 0 && !isUnanswered(ledger)) return undefined;
  const sections = [
    { id: 'request' as const, items: required('request').slice(0, MAX_REQUESTS) },
    { id: 'tasks' as const, items: tasks },
    { id: 'errors' as const, items: errors },
  ];
  return { ...document, sections: sections.filter(({ items }) => items.length > 0), names: {} };
}

/** The last request and its predecessor: “go on” says nothing by itself. */
const MAX_REQUESTS = 2;

/** The newest; what failed long before is rather forgotten than open. */
const MAX_ERRORS = 3;

/** The user asked, and the agent never said anything to it. */
function isUnanswered({ requests, notes }: Ledger): boolean {
  const asked = requests.at(-1);
  return asked !== undefined && (notes.at(-1)?.step ?? -1) < asked.step;
}
