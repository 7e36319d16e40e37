import type { Draft, ParsedFile } from './draft.js';
import { parseJsonArray, parseJsonLines } from './parse-json-tasks.js';

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(.*)$/;
const CODE_FENCE = /^\s*(?:```|~~~)/;

/** The open items of a Markdown check list, `- [ ] what is to be done`. Everything else in the file is left alone. */
function parseChecklist(text: string): ParsedFile {
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

/** The tasks in a file: a JSON array, an object on each line, or a Markdown check list, told by how the text begins. */
export function parseTaskFile(given: string): ParsedFile {
  const text = given.replace(/^\ufeff/, '');
  switch (text.trimStart()[0]) {
    case '[':
      return parseJsonArray(text);
    case '{':
      return parseJsonLines(text);
    default:
      return parseChecklist(text);
  }
}
