import { MalformedResponseError } from '../errors/malformed-response-error.js';
import { ResumeFailedError } from '../errors/resume-failed-error.js';
import type { TurnCall, TurnCost } from './turn-ledger.js';

/** Why only the user can continue, with all the evidence: attempts, texts, cost. */
export interface EscalationDiagnosis {
  readonly reason: 'resume-failed' | 'malformed' | 'model-failed';
  /** One sentence for the user. */
  readonly summary: string;
  /** Every question and answer of the turn, in order. */
  readonly calls: readonly TurnCall[];
  readonly cost: TurnCost;
  readonly error: Error;
}

export function diagnose(error: unknown, calls: readonly TurnCall[], cost: TurnCost): EscalationDiagnosis {
  const tried = `after ${calls.length} model ${calls.length === 1 ? 'call' : 'calls'}`;
  const facts = { calls: [...calls], cost };
  if (error instanceof ResumeFailedError) {
    return {
      ...facts,
      reason: 'resume-failed',
      summary: `The model's answer was cut off and could not be completed ${tried} (${error.reason ?? error.message}).`,
      error,
    };
  }
  if (error instanceof MalformedResponseError) {
    return {
      ...facts,
      reason: 'malformed',
      summary: `The model's answer was not a SAOP envelope and stayed so ${tried}: ${error.problems.join('; ')}.`,
      error,
    };
  }
  const cause = error instanceof Error ? error : new Error(String(error));
  return {
    ...facts,
    reason: 'model-failed',
    summary: `The turn could not continue ${tried}: ${cause.message}`,
    error: cause,
  };
}
