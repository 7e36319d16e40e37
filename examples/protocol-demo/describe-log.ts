import { tail } from '@devs/cli/screen/excerpt';
import { visible } from '@devs/cli/screen/visible';
import { count } from '@devs/cli/words';
import type { LogEvent } from '@devs/core';

const TOKEN_COLUMNS = 44;

/** Log entries in words for people; empty if another line of the account says it. */
export function describeLog(log: LogEvent): readonly string[] {
  switch (log.event) {
    case 'PARTIAL_COMPLETION_DETECTED':
      return [`Cut off. Whole up to ${tail(log.lastValidToken, TOKEN_COLUMNS)}`];
    case 'RESUME_TRIED':
      return [describeTry(log.outcome, log.shownChars)];
    case 'RESUME_FAILED':
      return ['Gives up. Half an answer is never carried out.'];
    case 'MALFORMED_RESPONSE_DETECTED':
      return ['Complete, but not a valid envelope:', ...log.problems.map((problem) => `- ${visible(problem)}`)];
    case 'CORRECTION_SUCCEEDED':
      return [`Valid after ${count(log.corrections, 'correction')}.`];
    case 'CORRECTION_FAILED':
      return [`Still not valid after ${count(log.corrections, 'correction')}. Gives up.`];
    case 'OBSERVATION_DISCARDED':
      return ['The model claims to have seen a result already. Left out: nothing was carried out yet.'];
    case 'CONTEXT_REFRESH_FAILED':
      return [`The summaries could not be had (${visible(log.error)}). Tries again next turn.`];
    case 'RESUME_SUCCEEDED':
    case 'CONTEXT_REFRESHED':
    case 'USER_ESCALATION':
    case 'TURN_COMPLETED':
      return [];
  }
}

function describeTry(outcome: Extract<LogEvent, { event: 'RESUME_TRIED' }>['outcome'], shownChars: number): string {
  switch (outcome) {
    case 'completed':
      return `Fits behind the ${count(shownChars, 'character')} shown: the answer is whole.`;
    case 'extended':
      return `Fits behind the ${count(shownChars, 'character')} shown, and is cut off again.`;
    case 'no-progress':
      return 'Brings the answer no further.';
    case 'not-an-envelope':
      return 'Fits, but the whole is not a valid envelope.';
    default:
      return `Refused (${outcome.replace('refused: ', '')}): nothing is guessed.`;
  }
}
