import type { RenewOutcome } from '@devs/supervisor';
import { count } from '../words.js';

const MAX_LISTED = 5;

interface Whose {
  readonly name: string;
  /** Said in the terminal itself. */
  readonly isHere?: boolean;
}

/** What came of a renewal, and what the new agent does not have of the old one; line by line, not yet safe to show. Pure. */
export function describeRenewal(outcome: RenewOutcome, { name, isHere = false }: Whose): readonly string[] {
  switch (outcome.status) {
    case 'renewed':
      return [
        `${isHere ? 'renewed' : `Renewed ${name}`}. Back to the conversation before: devs renew ${name} --undo`,
        ...(outcome.missed === undefined ? [] : [`It was not seen to take up the work: ${outcome.missed}`]),
        ...describeLeftBehind(outcome),
      ];
    case 'refused':
      return [
        outcome.reason === 'draft'
          ? `Not done: something is typed in ${name} that was not sent, and would be lost. Send or clear it, or use --drop-draft.`
          : `Not renewed; ${name} continues as it was: ${outcome.reason}.`,
      ];
    case 'abandoned':
      return [`Gave up on the renewal; ${name} continues as it was.`];
    case 'failed':
      return [`${name} could not be restarted: ${outcome.error}. Try \`devs resume ${name}\`.`];
  }
}

/** What the new agent does not have of the old one. Pure. A supervisor of an older version does not say it. */
export const describeLeftBehind = ({ alsoEnded = [], grants = [] }: Partial<LeftBehind>): readonly string[] => [
  ...listed('ended with the old agent', alsoEnded),
  ...listed(
    'asks again for',
    grants.map(({ tool, detail }) => (detail === '' ? tool : `${tool} (${detail})`)),
  ),
];

type LeftBehind = Pick<Extract<RenewOutcome, { status: 'renewed' }>, 'grants' | 'alsoEnded'>;

function listed(what: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const more = items.length - MAX_LISTED;
  const rest = more > 0 ? `, and ${count(more, 'other')}` : '';
  return [`${what}: ${items.slice(0, MAX_LISTED).join(', ')}${rest}`];
}
