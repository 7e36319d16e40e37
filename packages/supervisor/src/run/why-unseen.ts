import type { TypingOutcome } from '@devs/core';

export type Unseen = Exclude<TypingOutcome, { kind: 'delivered' }>['reason'];

/** Why the agent does not have the user's answer, in words for the user. */
export function whyUnseen(reason: Unseen): string {
  switch (reason) {
    case 'dialog':
      return 'a dialog is open on its screen, which takes no words';
    case 'draft':
      return 'other text that nobody has sent is in its input';
    case 'prompt-not-drawn':
      return 'its screen shows no input';
    case 'needs-bracketed-paste':
      return 'its input takes no text of several lines';
    case 'not-drawn':
      return 'the words did not appear in its input';
    case 'not-confirmed':
      return 'its own record does not show them';
    case 'busy':
      return 'it is at work';
    case 'exited':
      return 'it has ended';
    case 'interrupted':
      return 'the typing was interrupted';
  }
}
