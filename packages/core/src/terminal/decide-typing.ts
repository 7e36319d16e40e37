import { assertNever } from '../assert-never.js';
import type { InputReading } from './read-input.js';

/** How far the delivery of one prompt is. */
export type TypingPhase =
  | { readonly kind: 'awaiting-prompt'; readonly since: number }
  /** `drawnAt`: since when the text is seen in the input. */
  | { readonly kind: 'awaiting-echo'; readonly since: number; readonly pastes: number; readonly drawnAt?: number }
  | { readonly kind: 'awaiting-delivery'; readonly since: number; readonly enters: number };

export interface TypingObservation extends InputReading {
  readonly at: number;
  readonly exited: boolean;
  readonly bracketedPaste: boolean;
  /** The agent's own records show the prompt: not the hook that fires when it is queued. */
  readonly delivered: boolean;
}

export interface TypingPolicy {
  readonly promptTimeoutMs: number;
  readonly echoTimeoutMs: number;
  readonly deliveryTimeoutMs: number;
  /** How long the text is seen before Enter: some agents take an earlier one for a line of the paste. */
  readonly enterAfterMs: number;
  /** How often a paste that was swallowed, or an Enter, is tried again. */
  readonly retries: number;
}

export const TYPING_POLICY: TypingPolicy = {
  promptTimeoutMs: 30_000,
  echoTimeoutMs: 5_000,
  deliveryTimeoutMs: 10_000,
  enterAfterMs: 0,
  retries: 1,
};

export type TypingKeys = 'paste' | 'type' | 'enter';

/** Refused: nothing was typed. Unconfirmed: text was typed, but never seen to arrive. */
export type TypingOutcome =
  | { readonly kind: 'delivered'; readonly enters: number }
  | { readonly kind: 'unconfirmed'; readonly reason: UnconfirmedReason; readonly enters: number }
  | { readonly kind: 'refused'; readonly reason: RefusedReason };

export type UnconfirmedReason = 'exited' | 'dialog' | 'not-drawn' | 'not-confirmed' | 'interrupted';
export type RefusedReason =
  | 'exited'
  | 'dialog'
  | 'draft'
  | 'busy'
  | 'prompt-not-drawn'
  | 'needs-bracketed-paste'
  | 'interrupted';

export interface TypingStep {
  readonly phase: TypingPhase;
  readonly keys?: TypingKeys;
  /** Given when it is over. */
  readonly outcome?: TypingOutcome;
}

/** The next action for one prompt, given the current observation. Pure: the terminal performs it. */
export function decideTyping(
  phase: TypingPhase,
  seen: TypingObservation,
  { text, policy }: { readonly text: string; readonly policy: TypingPolicy },
): TypingStep {
  switch (phase.kind) {
    case 'awaiting-prompt':
      return begin(phase, seen, text, policy);
    case 'awaiting-echo':
      return awaitEcho(phase, seen, text, policy);
    case 'awaiting-delivery':
      return awaitDelivery(phase, seen, policy);
    default:
      return assertNever(phase);
  }
}

type In<Kind extends TypingPhase['kind']> = Extract<TypingPhase, { kind: Kind }>;

/** A screen that lags behind may still show the prompt before: only what stays is in the input. */
const SETTLING_MS = 400;

function begin(phase: In<'awaiting-prompt'>, seen: TypingObservation, text: string, policy: TypingPolicy): TypingStep {
  const refuse = (reason: RefusedReason): TypingStep => ({ phase, outcome: { kind: 'refused', reason } });
  const late = seen.at - phase.since >= policy.promptTimeoutMs;
  if (seen.exited) return refuse('exited');
  if (seen.dialog) return refuse('dialog');
  if (seen.prompt === 'hidden') return late ? refuse('prompt-not-drawn') : { phase };
  const stays = seen.at - phase.since >= SETTLING_MS || late;
  if (seen.draft === 'other') return stays ? refuse('draft') : { phase };
  if (seen.busy) return refuse('busy');
  // Left by a supervisor that was interrupted before Enter, or the same words, sent a moment ago and still drawn.
  if (seen.draft === 'ours') return stays ? pressEnter(seen.at, 1) : { phase };
  const keys = keysFor(text, seen);
  if (keys === undefined) return late ? refuse('needs-bracketed-paste') : { phase };
  return { phase: { kind: 'awaiting-echo', since: seen.at, pastes: 1 }, keys };
}

/** Enter is pressed when the text is drawn, and not before: until then it would be lost, or would answer something else. */
function awaitEcho(
  phase: In<'awaiting-echo'>,
  seen: TypingObservation,
  text: string,
  policy: TypingPolicy,
): TypingStep {
  if (seen.delivered) return { phase, outcome: { kind: 'delivered', enters: 0 } };
  if (seen.exited) return unconfirmed(phase, 'exited', 0);
  if (seen.dialog) return unconfirmed(phase, 'dialog', 0);
  if (seen.draft === 'ours') {
    const drawnAt = phase.drawnAt ?? seen.at;
    return seen.at - drawnAt >= policy.enterAfterMs ? pressEnter(seen.at, 1) : { phase: { ...phase, drawnAt } };
  }
  if (seen.at - phase.since < policy.echoTimeoutMs) return { phase };
  const keys = keysFor(text, seen);
  const lost = seen.prompt === 'drawn' && seen.draft === 'empty';
  if (!lost || keys === undefined || phase.pastes > policy.retries) return unconfirmed(phase, 'not-drawn', 0);
  return { phase: { kind: 'awaiting-echo', since: seen.at, pastes: phase.pastes + 1 }, keys };
}

/** Enter again only while the text is still in the input. Once it is gone it may have been taken: twice is worse than late. */
function awaitDelivery(phase: In<'awaiting-delivery'>, seen: TypingObservation, policy: TypingPolicy): TypingStep {
  if (seen.delivered) return { phase, outcome: { kind: 'delivered', enters: phase.enters } };
  if (seen.exited) return unconfirmed(phase, 'exited', phase.enters);
  if (seen.at - phase.since < policy.deliveryTimeoutMs) return { phase };
  if (seen.draft === 'ours' && !seen.dialog && phase.enters <= policy.retries) {
    return pressEnter(seen.at, phase.enters + 1);
  }
  return unconfirmed(phase, 'not-confirmed', phase.enters);
}

const pressEnter = (at: number, enters: number): TypingStep => ({
  phase: { kind: 'awaiting-delivery', since: at, enters },
  keys: 'enter',
});

const unconfirmed = (phase: TypingPhase, reason: UnconfirmedReason, enters: number): TypingStep => ({
  phase,
  outcome: { kind: 'unconfirmed', reason, enters },
});

/** Without paste marks, each line of a text would be sent as a separate prompt. */
const keysFor = (text: string, { bracketedPaste }: TypingObservation): TypingKeys | undefined =>
  bracketedPaste ? 'paste' : /[\r\n]/.test(text) ? undefined : 'type';
