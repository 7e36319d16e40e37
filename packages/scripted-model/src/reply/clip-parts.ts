import type { AnswerPart } from './reply.js';

/** The first `characters` of an answer, counted over its thoughts, its text and the input of its calls. */
export function clipParts(parts: readonly AnswerPart[], characters: number): readonly AnswerPart[] {
  const kept: AnswerPart[] = [];
  let left = characters;
  for (const part of parts) {
    if (left <= 0) break;
    kept.push(part.text.length <= left ? part : { ...part, text: clip(part.text, left) });
    left -= part.text.length;
  }
  return kept;
}

/** Not in the middle of a character. */
function clip(text: string, end: number): string {
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}
