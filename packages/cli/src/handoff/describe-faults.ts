import type { HandoffGap } from '@devs/core';
import { visible } from '../screen/visible.js';
import { grouped } from '../words.js';

/** The gaps of a handoff, one line each. */
export const describeFault = (fault: HandoffGap): string => {
  switch (fault.kind) {
    case 'missing':
      return `${WORDS[fault.what]}: ${visible(shorten(fault.item.text))}`;
    case 'secret':
      return 'it holds something that looks like a secret';
    case 'too-long':
      return `it is ${grouped(fault.by)} over its budget`;
  }
};

const WORDS = {
  'last-request': 'the last request',
  'open-task': 'an open task',
  'changed-file': 'a changed file',
  'unresolved-error': 'an error that is not resolved',
  'unfinished-operation': 'what is unfinished in git',
  'unproven-claim': 'a claim without proof',
} as const;

const shorten = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

const LONGEST = 160;
