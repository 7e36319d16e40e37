const FENCE_LINE = /^[ \t]*`{3,}[\w-]*[ \t]*\r?\n/;
const CLOSING_FENCE = /\r?\n[ \t]*`{3,}\s*$/;
/** A line of words that ends like a sentence or announces something, without any character that JSON is made of. */
const PROSE_LINE = /^\s*[A-Za-z][^"{}[\]\\\n]* [^"{}[\]\\\n]*[.:!][ \t]*\r?\n/;
const BLANK_LINE = /^[ \t]*\r?\n/;
const MOST_PROSE_LINES = 5;

/**
 * A completion without what chatty models put around it: whole lines of prose before it, and a Markdown fence.
 * Returns `undefined` where there is nothing of the kind. Lines that could be JSON are never taken off.
 */
export function unwrapCompletion(completion: string): string | undefined {
  let text = completion;
  for (let line = 0; line < MOST_PROSE_LINES && PROSE_LINE.test(text); line++) {
    text = text.replace(PROSE_LINE, '');
  }
  const hadProse = text !== completion;
  const opened = skipBlankLines(text);
  if (FENCE_LINE.test(opened)) return opened.replace(FENCE_LINE, '').replace(CLOSING_FENCE, '');
  return hadProse ? text : undefined;
}

function skipBlankLines(text: string): string {
  let rest = text;
  while (BLANK_LINE.test(rest)) rest = rest.replace(BLANK_LINE, '');
  return rest;
}
