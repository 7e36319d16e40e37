/** The text, or its beginning up to the end of a line or a sentence, with a sign that there was more. */
export function cutAtEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most <= MORE.length) return '';
  return `${beginningOf(text, most - MORE.length)}${MORE}`;
}

/**
 * The text, or its beginning and its end with a mark between them: pasted text is usually in the middle, the wish
 * before or after it.
 */
export const cutInMiddle = (text: string, most: number): string => endsOf(text, most).join(BETWEEN);

/** The two parts that are left of a text, or the whole of it. */
export function endsOf(text: string, most: number): readonly [string] | readonly [beginning: string, end: string] {
  if (text.length <= most) return [text];
  const room = Math.max(0, most - BETWEEN.length);
  const first = Math.max(Math.ceil(room * BEGINNING_SHARE), room - MAX_END_LENGTH);
  return [beginningOf(text, first), ending(text, room - first)];
}

/** The first characters of a text, as they are; never one half of an emoji. */
export function cutShort(text: string, most: number): string {
  const cut = text.slice(0, most);
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** The end of a text, from where a line or sentence begins, with a sign that there was more before it. */
export function endingOf(text: string, most: number): string {
  const whole = text.trim();
  return whole.length <= most ? whole : `${MORE_BEFORE}${ending(whole, most - MORE_BEFORE.length)}`;
}

const MORE = ' […]';
const MORE_BEFORE = '[…] ';
const BETWEEN = '\n[…]\n';
const BEGINNING_SHARE = 0.6;
/** The last words say what is wanted; more of the end than that is again what was pasted. */
const MAX_END_LENGTH = 500;

/** The first characters of a text, up to the end of a line or a sentence. */
export const beginningOf = (text: string, most: number): string => {
  const room = cutShort(text, most);
  return room.slice(0, lastEnd(room)).trimEnd();
};

/** Behind the last line or sentence; where there is none in the second half, behind the last word. */
function lastEnd(text: string): number {
  const sentence = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('. ') + 1, text.lastIndexOf('。') + 1);
  if (sentence > text.length / 2) return sentence;
  const word = text.lastIndexOf(' ');
  return word > text.length / 2 ? word : text.length;
}

function ending(text: string, most: number): string {
  const cut = most === 0 ? '' : text.slice(-most);
  const room = /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut;
  return room.slice(firstStart(room)).trimStart();
}

/** The same from behind: where the first line or sentence begins, or the first word. */
function firstStart(text: string): number {
  const starts = [text.indexOf('\n'), text.indexOf('. ') + 1, text.indexOf('。') + 1].filter((at) => at > 0);
  const sentence = Math.min(...starts);
  if (sentence < text.length / 2) return sentence;
  const word = text.indexOf(' ');
  return word !== -1 && word < text.length / 2 ? word : 0;
}
