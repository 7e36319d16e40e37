import { blockerLines } from '../../supervisor-state/build-prompt.js';
import type { MinimalState } from '../../supervisor-state/minimal-state.js';
import { redacted } from './build-document.js';
import type { HandoffDocument } from './handoff-document.js';
import { withItems } from './with-items.js';

export type Blocked = NonNullable<MinimalState['blocked_tasks']>;

/** The handoff with what the queue blocks: the next conversation must neither start it nor rely on it. */
export function addBlockers(document: HandoffDocument, blocked: Blocked): HandoffDocument {
  const items = blockerLines(blocked).map((text) =>
    redacted({ form: 'line', text, from: [], worth: 50, required: true }),
  );
  return withItems(document, 'tasks', items);
}
