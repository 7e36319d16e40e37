const NOTHING = /^(?:\p{M}|[\u200b-\u200d])$/u;
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}])$/u;

/** How many columns of a terminal one character takes. */
function columnsOf(character: string): 0 | 1 | 2 {
  if (NOTHING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

export const widthOf = (text: string): number =>
  [...text].reduce((width, character) => width + columnsOf(character), 0);

/** As much of the beginning as fits. */
export function fitStart(text: string, columns: number): string {
  let width = 0;
  let fitting = '';
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns) break;
    fitting += character;
  }
  return fitting;
}

/** As much of the end as fits. */
export function fitEnd(text: string, columns: number): string {
  let width = 0;
  const fitting: string[] = [];
  for (const character of [...text].reverse()) {
    width += columnsOf(character);
    if (width > columns) break;
    fitting.push(character);
  }
  return fitting.reverse().join('');
}
