/** Any draft in one row: several lines by their number, a long line by its end. */
export function showDraft(draft: string, columns: number): string {
  const lines = draft.split(/\r\n?|\n/).length;
  if (lines > 1) return `[Pasted text +${lines} lines]`;
  let width = 0;
  let shown = '';
  for (const character of [...draft.replaceAll('\t', ' ')].toReversed()) {
    width += cellsOf(character);
    if (width > columns) break;
    shown = character + shown;
  }
  return shown;
}

/** Ideographs and emoji take two cells; to believe so of too many leaves a little room free. */
const cellsOf = (character: string) => ((character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1);
