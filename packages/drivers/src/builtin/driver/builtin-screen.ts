import type { InputPatterns, ScreenView } from '@devs/core';
import { NOTHING_SAID, type Said } from '../../driving/signal-reader.js';

/** The input is one row. The agent's output is indented, so that it can never look like one of these. */
export const BUILTIN_INPUT: InputPatterns = {
  prompt: /^devs> ?/,
  pasted: /^\[Pasted text \+\d+ lines\]/,
  dialog: /^Allow .+\? \[y\]es \/ \[n\]o \/ \[a\]lways/,
  busy: /^Working…/,
};

/** Only for as long as its status file is missing. */
export function readBuiltinScreen({ lines }: ScreenView): Said {
  const last = lines.findLast((line) => line !== '') ?? '';
  if (BUILTIN_INPUT.dialog?.test(last)) return { says: 'waiting', detail: last.slice(0, 200) };
  if (BUILTIN_INPUT.busy?.test(last)) return { says: 'busy', detail: 'Working' };
  return BUILTIN_INPUT.prompt.test(last) ? { says: 'not-busy', detail: 'the prompt' } : NOTHING_SAID;
}

/** `devs agent: idle (12)`: the number of status changes so far. */
export function numberInTitle(title: string): number | undefined {
  const found = /^devs agent: \w+ \((\d+)\)$/.exec(title)?.[1];
  return found === undefined ? undefined : Number(found);
}
