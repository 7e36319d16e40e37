import type { Draft, ParsedFile } from './draft.js';

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(.*)$/;
const CODE_FENCE = /^\s*(?:```|~~~)/;

/** The open items of a Markdown check list, `- [ ] what is to be done`. Everything else in the file is left alone. */
export function parseChecklist(text: string): ParsedFile {
  const drafts: Draft[] = [];
  let checkedOff = 0;
  let isCode = false;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (CODE_FENCE.test(line)) isCode = !isCode;
    const item = isCode ? null : ITEM.exec(line);
    if (item === null) continue;
    if (item[1] !== ' ') checkedOff++;
    else drafts.push({ line: index + 1, task: { intent: (item[2] ?? '').trim() } });
  }
  return { drafts, problems: [], checkedOff };
}
