import type { RunEnd } from '@devs/supervisor';
import { visible } from '../screen/visible.js';

/** Summary at the end of a run: its outcome, and how to continue. */
export function describeEnd(id: string, end: RunEnd): readonly string[] {
  switch (end.status) {
    case 'finished':
      return [
        visible(`Run ${id}: ${OUTCOMES[end.outcome]}${end.detail === '' ? '' : `: ${end.detail}`}`),
        `See what happened with \`devs report ${id}\`.`,
      ];
    case 'paused':
      return end.escalation === undefined
        ? [visible(`Run ${id} is paused: ${end.why}`), `Continue with \`devs resume ${id}\`; nothing is lost.`]
        : [
            visible(`Run ${id} needs you: ${end.escalation.question}`),
            ...(end.escalation.diagnosis === '' ? [] : `Because: ${end.escalation.diagnosis}`.split('\n').map(visible)),
            `Answer with \`devs answer ${end.escalation.id} "…"\`, then continue with \`devs resume ${id}\`.`,
          ];
    case 'lost':
      return [
        visible(`Run ${id} is not supervised from here any more: ${end.why}`),
        `See it with \`devs\`. If no other supervisor has it and its records exist, continue with \`devs resume ${id}\`.`,
      ];
  }
}

const OUTCOMES = { done: 'done', failed: 'failed', 'given-up': 'given up' } as const;

export const exitCodeOf = (end: RunEnd): number => (end.status === 'finished' && end.outcome === 'done' ? 0 : 1);
