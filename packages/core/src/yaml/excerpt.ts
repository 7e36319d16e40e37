const MAX_CHARACTERS = 80;

/** A text as a message can quote it: short, on one line, without control characters. */
export function excerpt(text: string): string {
  const line = text.slice(0, MAX_CHARACTERS * 2).replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ');
  const characters = [...line];
  return characters.length > MAX_CHARACTERS || text.length > MAX_CHARACTERS * 2
    ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
    : line;
}
