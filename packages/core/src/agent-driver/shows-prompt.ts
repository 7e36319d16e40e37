import type { ConversationEvent } from '../conversation/conversation-event.js';

/** Whether the records of the agent hold this prompt: the proof that it arrived, and was not merely queued (H17). */
export function showsPrompt(events: readonly ConversationEvent[], prompt: string): boolean {
  const wanted = withoutSpace(prompt);
  return events.some(
    (event) =>
      event.type === 'request.made' && event.from.subAgent === undefined && withoutSpace(event.text) === wanted,
  );
}

/** The same for a prompt known only by its beginning. */
export function showsBeginning(events: readonly ConversationEvent[], beginning: string): boolean {
  const wanted = withoutSpace(beginning);
  return events.some(
    (event) =>
      event.type === 'request.made' && event.from.subAgent === undefined && withoutSpace(event.text).startsWith(wanted),
  );
}

/** A terminal may turn tabs into blanks, and drops blanks at the end of lines. */
const withoutSpace = (text: string) => text.replace(/\s+/gu, '');
