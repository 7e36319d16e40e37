const MOST_PROSE_LINES = 5;
const LONGEST_PROSE_LINE = 300;
const FENCE = /^[ \t]*`{3,}[\w-]*[ \t]*$/;

/**
 * A completion without what chatty models put around it: whole lines of prose before it, and a Markdown fence.
 * Returns `undefined` where there is nothing of the kind. Lines that could be JSON are never taken off.
 */
export function unwrapCompletion(completion: string): string | undefined {
  let text = completion;
  for (let lines = 0; lines < MOST_PROSE_LINES; lines++) {
    const { line, rest } = firstLine(withoutBlankLines(text));
    if (rest === undefined || !isProse(line)) break;
    text = rest;
  }
  const { line, rest } = firstLine(withoutBlankLines(text));
  if (rest !== undefined && FENCE.test(line)) return withoutClosingFence(rest);
  return text === completion ? undefined : text;
}

/** Words that end like a sentence or announce something, without any character that JSON is made of. */
function isProse(line: string): boolean {
  const words = line.trim();
  if (words.length > LONGEST_PROSE_LINE || !/^[A-Za-z]/.test(words) || /["{}[\]\\]/.test(words)) return false;
  return words.includes(' ') && /[.:!]$/.test(words);
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

/** `rest` is what stands behind the line's end, `undefined` where the line has none. */
function firstLine(text: string): { readonly line: string; readonly rest: string | undefined } {
  const end = text.indexOf('\n');
  if (end === -1) return { line: text, rest: undefined };
  return { line: text.slice(0, end).replace(/\r$/, ''), rest: text.slice(end + 1) };
}
