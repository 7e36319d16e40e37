import { pendingEffect, type RenewalState } from '@devs/core';
import { performEffect, type RenewalPerformer } from './renewal-performer.js';
import type { RenewalRecord } from './renewal-record.js';

/**
 * Continues a renewal from its recorded phase until nothing is promised any more. The same for a new renewal and for
 * one left by another supervisor.
 */
export async function finishRenewal(record: RenewalRecord, performer: RenewalPerformer): Promise<RenewalState> {
  let state = await record.read();
  for (;;) {
    const effect = pendingEffect(state);
    if (effect === undefined) return state;
    const outcome = await performEffect(performer, effect);
    // Overtaken: another supervisor did the same. What it stored counts, and the effect was done once by the performer's contract.
    ({ state } = await record.append(outcome));
  }
}
