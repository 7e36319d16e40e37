const NEWLINE_SIGN = '↵';
const REPLACEMENT = '\ufffd';
const CONTROL_PICTURES = 0x2400;
/** Controls, and the marks that change the direction of text: a terminal would obey them. */
const OBEYED = /\r\n|[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** Text that somebody else wrote, as one line that a terminal only shows: `↵` for a new line, `␛` for an escape. */
export const visible = (text: string): string => text.replace(OBEYED, picture);

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (character === '\n' || character === '\r\n') return NEWLINE_SIGN;
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  return code === 0x7f ? '␡' : REPLACEMENT;
}
