import { blockerLines } from '../../supervisor-state/build-prompt.js';
import type { MinimalState } from '../../supervisor-state/minimal-state.js';
import { redacted } from './build-document.js';
import type { HandoffDocument } from './handoff-document.js';

/** The handoff with what the queue blocks: the next conversation must neither start it nor rely on it. */
export function addBlockers(
  document: HandoffDocument,
  blocked: NonNullable<MinimalState['blocked_tasks']>,
): HandoffDocument {
  if (blocked.length === 0) return document;
  const items = blockerLines(blocked).map((text) =>
    redacted({ form: 'line', text, from: [], worth: 50, required: true }),
  );
  const added = document.sections.map((section) =>
    section.id === 'tasks' ? { ...section, items: [...items, ...section.items] } : section,
  );
  const hasTasks = added.some(({ id }) => id === 'tasks');
  return { ...document, sections: hasTasks ? added : [...added, { id: 'tasks', items }] };
}
