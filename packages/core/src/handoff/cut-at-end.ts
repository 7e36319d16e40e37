/** The text, or its beginning up to the end of a line or a sentence, with a sign that there was more. */
export function cutAtEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most <= MORE.length) return '';
  const room = text.slice(0, most - MORE.length);
  return `${room.slice(0, lastEnd(room)).trimEnd()}${MORE}`;
}

const MORE = ' […]';

/** Behind the last line or sentence; where there is none in the second half, behind the last word. */
function lastEnd(text: string): number {
  const sentence = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('. ') + 1, text.lastIndexOf('。') + 1);
  if (sentence > text.length / 2) return sentence;
  const word = text.lastIndexOf(' ');
  if (word > text.length / 2) return word;
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length; // never between the halves of an emoji
}
