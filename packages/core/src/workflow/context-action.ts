import type { StepContextAction } from './types.js';

/**
 * How far a supervised context action has come. It is done when the agent's own records show it, not when it was asked
 * for nor when it was typed.
 */
export type ContextActionProgress =
  | { readonly phase: 'requested'; readonly action: StepContextAction; readonly since: number }
  | {
      readonly phase: 'performed';
      readonly action: StepContextAction;
      readonly since: number;
      readonly attempt: number;
    };

/** By the agent's own command, or, for a conversation without history, by a new process. */
export type ContextActionMode = 'command' | 'new-process';

export type ContextActionDecision =
  | { readonly do: 'perform'; readonly attempt: number; readonly how: ContextActionMode }
  | { readonly do: 'wait'; readonly until: number }
  | { readonly do: 'abandon'; readonly reason: string };

export interface ContextActionPolicy {
  /** How long to wait for the agent's records to show it. */
  readonly deadlineMs: number;
}

const DEFAULT_POLICY: ContextActionPolicy = { deadlineMs: 120_000 };
/** The command once, and once more. */
const COMMAND_ATTEMPTS = 2;

/** The supervisor's next action for a context action that is not observed yet. */
export function decideContextAction(
  progress: ContextActionProgress,
  now: number,
  { deadlineMs }: ContextActionPolicy = DEFAULT_POLICY,
): ContextActionDecision {
  if (progress.phase === 'requested') return { do: 'perform', attempt: 1, how: 'command' };
  const { action, attempt, since } = progress;
  if (now < since + deadlineMs) return { do: 'wait', until: since + deadlineMs };
  if (attempt < COMMAND_ATTEMPTS) return { do: 'perform', attempt: attempt + 1, how: 'command' };
  // A conversation can be left behind by force; it cannot be made shorter by force.
  if (action === 'clear' && attempt === COMMAND_ATTEMPTS)
    return { do: 'perform', attempt: attempt + 1, how: 'new-process' };
  return { do: 'abandon', reason: `/${action} was tried ${attempt} times and never seen to happen` };
}
