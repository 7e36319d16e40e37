import type { PressureMark, RenewalCause } from '@devs/core';

/** What the user of a terminal may want to know. */
export type TerminalNotice =
  /** For a permission or an answer that only the user can give. */
  | { readonly kind: 'waiting'; readonly detail: string }
  | { readonly kind: 'pressure'; readonly mark: Exclude<PressureMark, 'low'>; readonly pressure: number }
  | { readonly kind: 'escalated'; readonly why: string }
  | { readonly kind: 'parked'; readonly until: number; readonly why: string }
  | { readonly kind: 'left-to-agent'; readonly why: string }
  | { readonly kind: 'resumed'; readonly conversationId: string }
  /** The agent has ended, and nothing is left for it to do; or it was stopped. */
  | { readonly kind: 'done'; readonly exitCode?: number; readonly signal?: number }
  /** Its turn is ended for a renewal that is overdue. */
  | { readonly kind: 'interrupted'; readonly why: string }
  | { readonly kind: 'renewal-started'; readonly cause: RenewalCause; readonly refreshCount: number }
  | {
      readonly kind: 'renewal-completed';
      readonly refreshCount: number;
      readonly hadTask: boolean;
      readonly handoffLength: number;
      /** How to go back to the conversation before. */
      readonly resumeCommand?: string;
      /** Given by hand to the old agent: the new one will ask again. */
      readonly grants: readonly { readonly tool: string; readonly detail: string }[];
      /** What ran under the old agent, and was ended with it. */
      readonly alsoEnded: readonly string[];
      /** Why the new agent was not seen to take up the work. */
      readonly missed?: string;
    }
  | { readonly kind: 'renewal-failed'; readonly error: string }
  | { readonly kind: 'renewal-abandoned'; readonly reason: string }
  | { readonly kind: 'context-action-abandoned'; readonly reason: string }
  | { readonly kind: 'prompt-unconfirmed'; readonly text: string; readonly reason: string }
  /** Another supervisor has the terminal now, or the store said so: this one has let go. */
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'trouble'; readonly detail: string };

/** What a notice says of the agent of a terminal: `waits for you: …`. */
export function describeNotice(notice: TerminalNotice, timeOf: (at: number) => string): string {
  switch (notice.kind) {
    case 'waiting':
      return `waits for you: ${notice.detail}`;
    case 'escalated':
      return `needs you: ${notice.why}`;
    case 'parked':
      return `waits for the provider until ${timeOf(notice.until)}: ${notice.why}`;
    case 'done':
      return 'has ended';
    case 'pressure':
      return `has filled ${Math.round(notice.pressure * 100)} % of its context`;
    case 'interrupted':
      return `is interrupted for its renewal: ${notice.why}`;
    case 'renewal-started':
      return 'is being renewed';
    case 'renewal-completed':
      return `was renewed (${notice.refreshCount})`;
    case 'renewal-failed':
      return `could not be renewed: ${notice.error}`;
    case 'renewal-abandoned':
      return `was not renewed: ${notice.reason}`;
    case 'resumed':
      return 'continues its conversation';
    case 'left-to-agent':
      return `is not renewed (${notice.why}): its own compaction takes over`;
    case 'trouble':
      return `has a problem: ${notice.detail}`;
    case 'context-action-abandoned':
      return `did not compact or clear its context: ${notice.reason}`;
    case 'prompt-unconfirmed':
      return `may not have received its prompt (${notice.reason})`;
    case 'lost':
      return `is not supervised here any more: ${notice.why}`;
  }
}
