import type { LlmAnswer } from '../ports/llm-client.js';
import { detect, type PartialCompletion } from './partial-completion-detector.js';

/** What an answer needs first. */
export type Recovery =
  | { readonly kind: 'resume'; readonly cut: PartialCompletion } // it was cut off: ask for the rest
  | { readonly kind: 'check' }; // it is all there, or so little that it must be asked for anew

export function decideRecovery({ text, stopReason }: LlmAnswer): Recovery {
  const detection = detect(text, { stopReason });
  return detection.partial && detection.lastValidToken !== '' ? { kind: 'resume', cut: detection } : { kind: 'check' };
}
