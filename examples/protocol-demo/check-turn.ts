import { isDeepStrictEqual } from 'node:util';
import { count } from '@devs/cli/words';
import type { SaopEnvelope } from '@devs/core';
import type { Scene } from './scenes.js';
import type { Ending } from './show-event.js';

interface Summaries {
  readonly tasSummary: string;
  readonly prdSummary: string;
}

/** Mistakes in the ending of a turn: none if the envelope is the intended one. */
export function checkTurn(scene: Scene, ending: Ending, reinjected: Summaries | undefined): string[] {
  if (ending.state === 'REJECTED') return [`the turn was given up: ${ending.error}`];
  if (ending.state !== scene.ends) return [`ended in ${ending.state} instead of ${scene.ends}`];
  if (ending.state === 'USER_ESCALATION') {
    const { reason, cost } = ending.diagnosis;
    return [
      ...checkCalls(scene, cost.calls),
      ...(reason === 'resume-failed' ? [] : [`escalated for the wrong reason: ${reason}`]),
    ];
  }
  const expected = reinjected === undefined ? scene.meant : withSummaries(scene.meant, reinjected);
  return [
    ...checkCalls(scene, ending.cost.calls),
    ...(isDeepStrictEqual(ending.envelope, expected)
      ? []
      : ['the envelope is not the one that the model meant to write']),
  ];
}

/** A title that says "cut off three times" must not outlive its truth. */
const checkCalls = (scene: Scene, calls: number): string[] =>
  calls === scene.calls ? [] : [`took ${count(calls, 'model call')} instead of ${scene.calls}`];

/** Spelled out rather than taken from core: this is what the agent must get to read. */
function withSummaries(envelope: SaopEnvelope, { tasSummary, prdSummary }: Summaries): SaopEnvelope {
  const reminder = `[CONTEXT REFRESH]\n## TAS Summary\n${tasSummary}\n\n## PRD Summary\n${prdSummary}`;
  const { thought } = envelope;
  return { ...envelope, thought: { ...thought, reasoning: `${reminder}\n\n${thought.reasoning}` } };
}
