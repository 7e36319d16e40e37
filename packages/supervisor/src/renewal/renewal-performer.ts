import type { HandoffEvent, RenewalEffect, RenewalEvent } from '@devs/core';

type Effect<Type extends RenewalEffect['type']> = Extract<RenewalEffect, { type: Type }>;
type Outcome<Type extends RenewalEvent['type']> = Extract<RenewalEvent, { type: Type }>;

/**
 * Does what a renewal asks for, and tells what came of it.
 *
 * Contract: each may be asked again for the same effect, after a crash or by another supervisor, and must then do no more than it
 * would have done once: an agent that is gone is ended, an agent with that id that runs is spawned, a task that is back in the queue
 * is released. What may well happen is an outcome; a rejection is for what nobody foresaw, and stops the renewal where it is.
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
