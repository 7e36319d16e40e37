import type { ParsedFile } from './draft.js';
import { parseChecklist } from './parse-checklist.js';
import { parseJsonArray, parseJsonLines } from './parse-json-tasks.js';

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
