import type { HandoffEvent, RenewalEffect, RenewalEvent } from '@devs/core';

type Effect<Type extends RenewalEffect['type']> = Extract<RenewalEffect, { type: Type }>;
type Outcome<Type extends RenewalEvent['type']> = Extract<RenewalEvent, { type: Type }>;

/**
 * Performs the effects of a renewal, and reports the outcome.
 *
 * Contract: each effect may be requested again, after a crash or by another supervisor, and must be idempotent: an
 * agent that is gone is ended, a running agent with that id is spawned, a task back in the queue is released. Expected
 * failures are outcomes; a rejection is for the unexpected, and stops the renewal where it is.
 */
export interface RenewalPerformer {
  askForHandoff(effect: Effect<'ask-for-handoff'>): Promise<HandoffEvent>;
  buildDocument(effect: Effect<'build-document'>): Promise<Outcome<'document.verified'>>;
  saveCheckpoint(effect: Effect<'save-checkpoint'>): Promise<Outcome<'checkpoint.saved' | 'checkpoint.skipped'>>;
  endAgent(effect: Effect<'end-agent'>): Promise<Outcome<'agent.ended' | 'renewal.abandoned'>>;
  spawnAgent(effect: Effect<'spawn-agent'>): Promise<Outcome<'agent.spawned' | 'spawn.failed'>>;
  confirmTakeover(effect: Effect<'confirm-takeover'>): Promise<Outcome<'takeover.confirmed' | 'takeover.missed'>>;
  releaseTask(effect: Effect<'release-task'>): Promise<Outcome<'task.released'>>;
}

export function performEffect(performer: RenewalPerformer, effect: RenewalEffect): Promise<RenewalEvent> {
  switch (effect.type) {
    case 'ask-for-handoff':
      return performer.askForHandoff(effect);
    case 'build-document':
      return performer.buildDocument(effect);
    case 'save-checkpoint':
      return performer.saveCheckpoint(effect);
    case 'end-agent':
      return performer.endAgent(effect);
    case 'spawn-agent':
      return performer.spawnAgent(effect);
    case 'confirm-takeover':
      return performer.confirmTakeover(effect);
    case 'release-task':
      return performer.releaseTask(effect);
  }
}
