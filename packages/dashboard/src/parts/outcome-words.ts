import type { Output } from '@devs/api';

/** What an interrupt came to. Throws where it was not seen to work. */
export function interruptWords(outcome: Output<'terminals.interrupt'>): string {
  if (outcome.kind === 'not-seen') throw new Error(`Not seen that it was interrupted: ${outcome.why}`);
  return outcome.kind === 'seen'
    ? "Interrupted: seen in the agent's own record."
    : 'The agent did nothing: there was no turn to interrupt.';
}

/** What a renewal came to. Throws where the agent was not renewed. */
export function renewWords(outcome: Output<'terminals.renew'>): string {
  if (outcome.status === 'renewed') return 'Renewed: a fresh agent starts from the handoff.';
  if (outcome.status === 'refused') throw new Error(outcome.reason);
  throw new Error(outcome.status === 'failed' ? outcome.error : 'The renewal was stopped.');
}
