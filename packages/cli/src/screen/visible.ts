import { showHiddenMarks } from '@devs/core';

const NEWLINE_SIGN = '↵';
const REPLACEMENT = '\ufffd';
const CONTROL_PICTURES = 0x2400;
/** A terminal would obey them. */
const OBEYED = /\r\n|[\p{Cc}\u2028\u2029]|\p{Surrogate}/gu;

/**
 * Foreign text as one line that a terminal only shows: `↵` for a new line, `␛` for an escape, `<U+202E>` for a mark
 * that changes the direction of text.
 */
export const visible = (text: string): string => showHiddenMarks(text.replace(OBEYED, picture));

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (character === '\n' || character === '\r\n') return NEWLINE_SIGN;
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  return code === 0x7f ? '␡' : REPLACEMENT;
}
