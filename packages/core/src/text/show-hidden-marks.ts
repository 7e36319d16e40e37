/**
 * Marks that change the direction of text, and other invisible ones: they make a line read differently. Joiners are
 * kept, since scripts and emoji need them.
 */
const HIDDEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

/** The text with such marks by their number, as `<U+202E>`. */
export const showHiddenMarks = (text: string): string =>
  text.replace(HIDDEN, (mark) => `<U+${mark.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}>`);
