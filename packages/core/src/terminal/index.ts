export {
  decideTyping,
  type RefusedReason,
  TYPING_POLICY,
  type TypingKeys,
  type TypingObservation,
  type TypingOutcome,
  type TypingPhase,
  type TypingPolicy,
  type TypingStep,
  type UnconfirmedReason,
} from './decide-typing.js';
export { type InputPatterns, type InputReading, readInput } from './read-input.js';
export type { ScreenView } from './screen-view.js';
export {
  type ActivityEvidence,
  observeTerminal,
  startedTerminal,
  type TerminalActivity,
  type TerminalState,
} from './terminal-activity.js';
export {
  SIGNAL_SOURCES,
  type SignalMeaning,
  type SignalSource,
  type TerminalObservation,
} from './terminal-observation.js';
