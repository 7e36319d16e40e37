/** `undefined` where nothing is said about it. */
export type Focus = 'gained' | 'lost' | undefined;

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: what terminals say by themselves are control sequences
const REPORTS =
  /^(?:\u001b\[(?:[IO]|<[\d;]+[Mm]|[?>=]?[\d;:]*[cnRty]|\?[\d;]*[$u]y?)|\u001b[\]P_][^\u0007\u001b]*(?:\u0007|\u001b\\))+$/;
const FOCUS = /\u001b\[[IO]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: what terminals say by themselves are control sequences

/** Whether it is the terminal that speaks, not its user: answers to questions, the mouse, that its window was left. */
export const isReport = (bytes: Buffer): boolean => REPORTS.test(bytes.toString('latin1'));

export function focusIn(bytes: Buffer): Focus {
  const last = bytes.toString('latin1').match(FOCUS)?.at(-1);
  return last === undefined ? undefined : last.endsWith('I') ? 'gained' : 'lost';
}
