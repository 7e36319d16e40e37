import type { StoredEvent } from '@devs/core/folds';

/** How far a prompt is, by the events of its terminal since it was sent. Pure. */
export function wayOfPrompt(events: readonly StoredEvent[]): 'sent' | 'typed' | 'settled' {
  const begun = events.findIndex(({ type }) => type === 'prompt.intended' || type === 'prompt.repeated');
  if (begun === -1) return 'sent';
  return events.slice(begun).some(({ type }) => type === 'prompt.settled') ? 'settled' : 'typed';
}
