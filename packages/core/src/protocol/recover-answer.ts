import { ResumeFailedError } from '../errors/resume-failed-error.js';
import type { LlmAnswer } from '../ports/llm-client.js';
import type { Logger } from '../ports/logger.js';
import { detect } from './partial-completion-detector.js';
import type { PartialCompletionResumeHandler } from './partial-completion-resume-handler.js';
import { resumePoint } from './resume-point.js';
import type { SaopEnvelope } from './saop-envelope.js';
import type { TurnContext } from './turn-context.js';

export interface RecoveryDeps {
  readonly logger: Logger;
  /** Asks for the rest of an answer that was cut off; without it such an answer counts as malformed. */
  readonly resumeHandler?: PartialCompletionResumeHandler | undefined;
}

/** A text still has to be checked, and corrected where it is not an envelope. */
export type RecoveredAnswer =
  | { readonly kind: 'envelope'; readonly envelope: SaopEnvelope }
  | { readonly kind: 'text'; readonly text: string; readonly cause?: ResumeFailedError };

/**
 * Asks for the rest of a cut-off answer. Leaves an answer unchanged if it is whole, or too short to resume from.
 * Rejects with `ResumeFailedError` if the rest never came, and with the signal's reason when the turn is aborted.
 */
export async function recoverAnswer(
  { text, stopReason }: LlmAnswer,
  { logger, resumeHandler }: RecoveryDeps,
  turnContext: TurnContext,
): Promise<RecoveredAnswer> {
  const detection = detect(text, { stopReason });
  if (!detection.partial || detection.lastValidToken === '' || resumeHandler === undefined) {
    return { kind: 'text', text };
  }
  logger.log({ event: 'PARTIAL_COMPLETION_DETECTED', lastValidToken: detection.lastValidToken });
  const { prefix, received } = resumePoint(detection, text);
  try {
    return { kind: 'envelope', envelope: await resumeHandler.resume(prefix, turnContext, { received }) };
  } catch (error) {
    if (!(error instanceof ResumeFailedError) || error.document === undefined) throw error;
    return { kind: 'text', text: error.document, cause: error };
  }
}
