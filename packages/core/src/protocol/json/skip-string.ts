const BACKSLASH = 0x5c;

/** The index behind the quote that ends a string, or -1. A quote is escaped by an odd number of backslashes. */
export function skipString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    if (backslashesBefore(text, quote, from) % 2 === 0) return quote + 1;
  }
  return -1;
}

/** How many backslashes end the text, none counted before `from`. */
export const trailingBackslashes = (text: string, from: number) => backslashesBefore(text, text.length, from);

function backslashesBefore(text: string, end: number, from: number): number {
  let start = end;
  while (start > from && text.charCodeAt(start - 1) === BACKSLASH) start--;
  return end - start;
}
