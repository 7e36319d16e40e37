/**
 * The handoff that an agent wrote on its screen: everything under the last `## HANDOFF`, with its sub-headings, up to
 * the next heading of the same or a higher level that is not part of it. Nothing while the text is still being written.
 */
export function parseHandoffFromOutput(
  output: string,
  { isComplete }: { readonly isComplete: boolean },
): string | undefined {
  if (!isComplete) return undefined; // half a sentence would be taken for the whole (H3)
  const lines = plainText(output).split('\n').map(withoutFrame);
  const start = lines.findLastIndex((line) => HEADING.test(line));
  if (start === -1) return undefined;
  const body = lines.slice(start + 1).filter((line) => !SPINNER.test(line));
  const text = body
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text === '' ? undefined : text;
}

const HEADING = /^\s*#{1,2}\s*HANDOFF\b/i;
/** What a terminal shows while an agent works, and the input box under what it said. */
const SPINNER = /^\s*(?:[·✢✳✶✻✽✺◐◑⠁-⣿]\s.*(?:…|\.\.\.).*|❯.*|[─━]{3,}.*)$/u;

const plainText = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is taken out
    .replace(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g, '')
    .replace(/\r+\n/g, '\n')
    .replace(/\r/g, '\n');

/** A line of a box without its sides. */
const withoutFrame = (line: string) =>
  line
    .replace(/^\s*[│┃║]\s?/, '')
    .replace(/\s*[│┃║⏺]\s*$/, '')
    .replace(/^⏺\s/, '')
    .trimEnd();
