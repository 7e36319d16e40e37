const MAX_WRAPPERS = 6;
const MAX_PROSE_LINE = 300;
const MAX_AFTERWORD = 600;
const FENCE = /^[ \t]*`{3,}[\w-]*[ \t]*$/;
const THOUGHT = /^\s*<(think|thinking)>[\s\S]*?<\/\1>/;
const DOTS = /^[ \t]*(?:\.{3}|…)/;
const LABEL = /^[ \t]*[A-Za-z][A-Za-z ,'’-]{0,80}:(?=[ \t])/;
/** White space that JSON does not know. */
const BLANK = /^[ \t\r\n]*[\u00a0\u200b\u2028\u2029\ufeff]+/;

/**
 * A completion without the additions of chatty models: thoughts, whole lines of prose or a label before it, and a
 * Markdown fence. Returns `undefined` without any. Text that could be JSON is never removed.
 */
export function unwrapCompletion(completion: string): string | undefined {
  let text = completion;
  for (let wrappers = 0; wrappers < MAX_WRAPPERS; wrappers++) {
    const rest = withoutWrapper(text);
    if (rest === undefined) break;
    text = rest;
  }
  const { line, rest } = firstLine(withoutBlankLines(text));
  if (rest !== undefined && FENCE.test(line)) return withoutClosingFence(rest);
  return text === completion ? undefined : text;
}

export const beginsWithThought = (completion: string): boolean => THOUGHT.test(completion);

/** Whether text after the end of a document adds nothing to it: a closing fence, a sentence without any JSON. */
export function isAfterword(text: string): boolean {
  const words = text.trim().replace(/^`{3,}\s*/, '');
  return words === '' || (words.length <= MAX_AFTERWORD && /^\p{L}/u.test(words) && !JSON_CHARACTER.test(words));
}

function withoutWrapper(text: string): string | undefined {
  const match = THOUGHT.exec(text) ?? BLANK.exec(text) ?? DOTS.exec(withoutBlankLines(text));
  if (match !== null) return match.input.slice(match[0].length);
  const { line, rest } = firstLine(withoutBlankLines(text));
  if (rest !== undefined && isProse(line)) return rest;
  const label = LABEL.exec(withoutBlankLines(text));
  return label === null ? undefined : label.input.slice(label[0].length);
}

const JSON_CHARACTER = /["{}[\]\\]/;

/** Words that end like a sentence or announce something, without any character that JSON is made of. */
function isProse(line: string): boolean {
  const words = line.trim();
  if (words.length > MAX_PROSE_LINE || !/^[A-Za-z]/.test(words) || JSON_CHARACTER.test(words)) return false;
  return words.endsWith(':') || (words.includes(' ') && /[.!]$/.test(words));
}

function withoutClosingFence(text: string): string {
  const trimmed = text.trimEnd();
  const lastLine = trimmed.slice(trimmed.lastIndexOf('\n') + 1);
  return /^[ \t]*`{3,}$/.test(lastLine) ? trimmed.slice(0, -lastLine.length).replace(/\r?\n$/, '') : text;
}

function withoutBlankLines(text: string): string {
  let rest = text;
  for (let next = firstLine(rest); next.rest !== undefined && next.line.trim() === ''; next = firstLine(rest))
    rest = next.rest;
  return rest;
}

/** `rest` is what follows the line's end, `undefined` where the line has none. */
function firstLine(text: string): { readonly line: string; readonly rest: string | undefined } {
  const end = text.indexOf('\n');
  if (end === -1) return { line: text, rest: undefined };
  return { line: text.slice(0, end).replace(/\r$/, ''), rest: text.slice(end + 1) };
}
