/**
 * Original lines, from lines as a terminal shows them: a line wrapped because the next word did not fit is joined with
 * the next. Without the terminal's width, the longest line determines it. Code, tables, lists and headings stay.
 */
export function rejoinLines(lines: readonly string[], columns?: number): readonly string[] {
  const room = columns ?? Math.max(0, ...lines.map(widthOf));
  if (room < NARROWEST) return lines;
  const joined: string[] = [];
  let inFence = false;
  let before: string | undefined; // the line as it was shown, where something may follow it
  for (const line of lines) {
    const isFence = FENCE.test(line);
    const last = joined.at(-1);
    if (last !== undefined && before !== undefined && !inFence && !isFence && goesOn(before, line, room, columns)) {
      joined[joined.length - 1] = `${last}${widthOf(before) === columns ? '' : ' '}${line.trimStart()}`;
    } else {
      joined.push(line);
    }
    if (isFence) inFence = !inFence;
    before = inFence || isFence ? undefined : line;
  }
  return joined;
}

/** Narrower than this, nothing can be told. */
const NARROWEST = 30;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const STARTS_ANEW = /^\s*(?:$|#{1,6}\s|[-*+]\s|\d+[.)]\s|\||>|\[[ xX]\]|→)/;
const STANDS_ALONE = /^\s*(?:$|#{1,6}\s|\|)/;

function goesOn(line: string, next: string, room: number, columns: number | undefined): boolean {
  if (STANDS_ALONE.test(line) || STARTS_ANEW.test(next)) return false;
  const word = /^\s*(\S+)/.exec(next)?.[1] ?? '';
  // Frames and margins take a few columns of the terminal's width.
  const usable = columns === undefined ? room : room - MARGIN;
  if (widthOf(line) + 1 + widthOf(word) <= usable) return false;
  return columns !== undefined || (!/[.!?:;]$/.test(line) && /^\s*[\p{Ll}\p{N}`("“]/u.test(next));
}

const MARGIN = 6;

/** In columns: ideographs, kana and emoji take two. */
const widthOf = (text: string): number => {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
};

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
