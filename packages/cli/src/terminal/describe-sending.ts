import type { TypingOutcome } from '@devs/core';

/** What became of a prompt, as a sentence. Pure. */
export function describeSending(name: string, outcome: TypingOutcome): string {
  switch (outcome.kind) {
    case 'delivered':
      return `Delivered to ${name}.`;
    case 'unconfirmed':
      return `Could not confirm delivery to ${name}: ${UNCONFIRMED[outcome.reason]}. Look with \`devs attach ${name}\`.`;
    case 'refused':
      return `Not sent to ${name}: ${REFUSED[outcome.reason]}.`;
  }
}

const UNCONFIRMED: Record<Extract<TypingOutcome, { kind: 'unconfirmed' }>['reason'], string> = {
  exited: 'it ended meanwhile',
  dialog: 'it asks something',
  'not-drawn': 'the text did not appear at its prompt',
  'not-confirmed': 'its records do not show it',
  interrupted: 'we were interrupted',
};

const REFUSED: Record<Extract<TypingOutcome, { kind: 'refused' }>['reason'], string> = {
  exited: 'it has ended',
  dialog: 'it waits for an answer to something else, which only you can give',
  draft: 'something is typed there already, which would be lost',
  busy: 'it is at work; try again when it is done',
  'prompt-not-drawn': 'its prompt did not appear',
  'needs-bracketed-paste': 'it takes no text of several lines',
  interrupted: 'we were interrupted',
};
